import Foundation
import KuraDiagnostics
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

extension Setting {
  static let cache = Setting(
    name: "cache", synopsis: ".cache [on|off|clear]",
    summary: "caches the columns of large stores, so that they open faster",
    details: """
      If a store or plain JSON takes more than 50 ms to read, Kura writes its columns to ~/.cache/kura
      at the end of the session, and reads them from there as long as the document is unchanged. Only
      you can read these files. The document is always authoritative. The cache takes at most 1 GB; Kura
      removes first what was unused for longest. .cache lists it (not with --safe), .cache clear empties
      it, .cache off applies to this session, and --no-cache or KURA_CACHE=off turns it off entirely.
      """,
    arguments: 0...1, effect: .changes
  ) { session, call in
    guard let word = call.argument else { return try session.reportCaches() }
    guard word.text.lowercased() != "clear" else { return try session.clearCaches(at: word.span) }
    session.settings.caches = try call.isOn
    if !session.settings.caches { session.store.cache = nil }
  }
}

extension Session {
  /// The settings of the column cache; nil if it is off.
  var caching: CacheSettings? {
    guard settings.caches, var caching = services.cache else { return nil }
    if launch.isDryRun { caching.writes = false }
    return caching
  }

  /// Writes the cache at a clean end; the first time, informs the user.
  func keepCache() {
    let cache = store.cache
    store.cache = nil
    guard settings.caches, let cache, let written = cache.keep(), written.isFirst, hasReader else {
      return
    }
    report(Report.cached(in: cache.settings.folder, size: written.size))
  }

  /// Whether a user at a terminal reads the output.
  private var hasReader: Bool {
    services.ask != nil
      || services.terminalWidth() != nil && services.reportWidth() != nil
  }

  fileprivate func reportCaches() throws {
    report(Report.setting("cache", settings.caches ? "on" : "off"))
    guard let settings = services.cache else { return report(Report.noCaches) }
    // An untrusted script must not see the names of the user's documents.
    guard !launch.isSafe else { return }
    let entries = CacheListing(settings).entries
    for entry in entries { report(Report.cached(entry, zone)) }
    report(Report.caches(entries, settings))
  }

  fileprivate func clearCaches(at span: SourceSpan) throws {
    try checkSafe(.writing, at: span)
    try checkMayChangeFiles(at: span)
    guard let settings = services.cache else { return report(Report.noCaches) }
    let entries = CacheListing(settings).entries
    CacheListing(settings).clear()
    report(Report.cleared(entries))
  }
}

extension Report {
  static func cached(in folder: String, size: Int64) -> String {
    localized(
      "the columns are cached in \(folder) (\(size.asSize)), so that the file opens faster next time: .help .cache"
    )
  }

  /// Returns `84.2 MB  2026-11-23 04:10  /home/hana/todo.json`.
  static func cached(_ entry: CacheListing.Entry, _ zone: ZoneRules) -> String {
    let moment = Timestamp(microseconds: entry.used).text(.rfc3339, in: zone).prefix(16)
      .replacing("T", with: " ")
    return "  \(entry.size.asSize)  \(moment)  \(VisibleText.of(entry.path ?? "?"))"
  }

  static func caches(_ entries: [CacheListing.Entry], _ settings: CacheSettings) -> String {
    let total = entries.reduce(0) { $0 + $1.size }
    return localized(
      "\(counted(entries.count, "store", "stores")), \(total.asSize) of \(settings.limit.asSize), in \(settings.folder)"
    )
  }

  static func cleared(_ entries: [CacheListing.Entry]) -> String {
    let total = entries.reduce(0) { $0 + $1.size }
    return localized("removed: \(counted(entries.count, "store", "stores")), \(total.asSize)")
  }

  static var noCaches: String { localized("there is no cache here") }
}

extension Int64 {
  /// `84.2 MB`, `1 GB`
  fileprivate var asSize: String {
    self < 999_950_000 ? inTenths(of: 1_000_000, "MB") : inTenths(of: 1_000_000_000, "GB")
  }

  private func inTenths(of unit: Int64, _ name: String) -> String {
    let tenths = (self + unit / 20) / (unit / 10)
    return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }
}
