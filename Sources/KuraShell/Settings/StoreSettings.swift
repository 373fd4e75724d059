import Foundation
import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

extension Setting {
  static let open = Setting(
    name: "open", synopsis: ".open FILE", summary: "opens another store, or plain JSON",
    details: """
      Variables keep their values, except those that hold objects of the previous store. If there are
      unsaved changes, Kura asks at a terminal; in a script they are an error.
      """,
    arguments: 1...1, effect: .changes, accessesOutside: true
  ) { session, call in
    let file = call.word
    try session.checkSafe(.opening, at: file.span)
    try session.checkNoScratch(".open")
    if session.hasUnsaved {
      guard session.services.ask != nil else {
        throw Failure(StoreSettingProblem.openOverChanges, at: call.name.span)
      }
      guard
        session.isAgreed(
          localized("There are unsaved changes. Open the other store without saving? [y/N]: "))
          == true
      else { return }
    }
    try session.open(.file(file.text))
    // The last result would keep the previous store in memory.
    session.lastResult = nil
  }

  static let refresh = Setting(
    name: "refresh", synopsis: ".refresh", summary: "merges what other programs have saved",
    details: """
      The unsaved changes of this session stay, on top of the merged ones. If both changed the same
      key of the same object, .merge settles the conflict.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    try session.refresh()
  }

  static let fold = Setting(
    name: "fold", synopsis: ".fold", summary: "writes the journal into the document",
    details: """
      A save appends to STORE.journal. Kura folds the journal automatically when it has grown large,
      and at the end of a session if the document is small.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    try session.fold()
  }

  static let merge = Setting(
    name: "merge", synopsis: ".merge [error|store|memory]",
    summary: "how to settle conflicts with changes of other programs",
    details: """
      error    nothing is saved, and every conflict is listed (the default)
      store    the values that the other programs saved stay
      memory   the values of this session replace them
      """,
    arguments: 0...1, value: \.settings.mergePolicy.rawValue
  ) { session, call in
    guard let policy = MergePolicy(rawValue: call.word.text.lowercased()) else {
      throw Failure(StoreSettingProblem.unknownPolicy(call.word.text), at: call.word.span)
    }
    session.settings.mergePolicy = policy
  }
}

extension Session {
  /// Opens another store instead of the current one.
  func open(_ source: StoreSource) throws {
    let result = try services.openStore(source, keeping, services.progress)
    let contents = result.store
    closeStore()
    learning.quiz = nil
    for note in result.notes { report(note) }
    context.open(contents.graph)
    trace.removeAll()
    store = CurrentStore(contents, from: source)
    store.isReadOnly = launch.isReadOnly
    keep(result.keeper)
    store.cache = result.cache
    if services.ask != nil { store.cache?.readAhead() }
    if result.lacksSaves { ending.lacksSaves = true }
    variables.forgetObjects()
  }
}

/// The reasons why another store is not opened, or a policy not set.
enum StoreSettingProblem: DiagnosticFacts {
  /// `.open other.json` in a script
  case openOverChanges
  /// `.merge mine`
  case unknownPolicy(String)

  var sentence: String {
    switch self {
    case .openOverChanges: localized("the open store has unsaved changes")
    case .unknownPolicy(let word): localized("expected error, store or memory, found \"\(word)\"")
    }
  }

  var help: String? {
    switch self {
    case .openOverChanges: localized("write save or rollback before .open")
    case .unknownPolicy: localized("write .merge error, .merge store or .merge memory")
    }
  }
}

extension Setting {
  static let recover = Setting(
    name: "recover", synopsis: ".recover [drop]",
    summary: "restores the unsaved changes of an ended session",
    details: """
      If SIGHUP, SIGTERM or a lost terminal ends a session at a terminal, Kura keeps the unsaved
      changes in STORE.unsaved, or in ~/.local/state/kura if there is no store. .recover restores them
      as one step on top of later saves; .merge settles conflicts. Kura deletes the file after the next
      save. .recover drop deletes it at once.
      """,
    arguments: 0...1, effect: .changes
  ) { session, call in
    switch call.argument?.text.lowercased() {
    case nil: try session.recover()
    case "drop":
      try session.checkMayChangeFiles(at: call.argument?.span)
      try session.dropRecovered()
    case _?:
      throw Failure(
        SettingProblem.wrongArguments(synopsis: ".recover [drop]"), at: call.argument?.span)
    }
  }

  static let history = Setting(
    name: "history", synopsis: ".history [keep N saves|forget]",
    summary: "how many saves the history of the store keeps",
    details: """
      The file STORE.history, next to the store, records the saves of every session: the time, the
      author (--author), the changes, and each value before and after. forget deletes the file.
      """,
    arguments: 0...3, effect: .changes
  ) { session, call in
    guard let keeper = session.store.keeper else { throw Failure(StoreFileProblem.notKept) }
    let history = keeper.history
    if let word = call.argument {
      guard let order = historyOrder(call) else {
        throw Failure(HistoryCommandProblem.unknownSetting, at: word.span)
      }
      try session.checkMayChangeFiles(at: word.span)
      try HistoryCommandProblem.convertingErrors { () throws(SidecarProblem) in
        try order(keeper)
      }
    }
    let contents = try HistoryCommandProblem.convertingErrors { () throws(SidecarProblem) in
      try history.read()
    }
    session.report(Report.history(contents))
  }

  /// Returns what `keep 1000 saves` or `forget` does; nil for other words.
  private static func historyOrder(
    _ call: SettingCall
  ) -> ((StoreKeeper) throws(SidecarProblem) -> Void)? {
    let words = call.arguments.map { $0.text.lowercased() }
    if words == ["forget"] {
      return { keeper throws(SidecarProblem) in try keeper.history.forget() }
    }
    guard words.count >= 2, words[0] == "keep", let count = Int(words[1]), count > 0,
      count <= 1_000_000, words.count == 2 || words[2] == "saves" || words[2] == "save"
    else { return nil }
    return { keeper throws(SidecarProblem) in try keeper.keepHistory(count) }
  }
}

extension Report {
  /// Returns `.history keep 1000 saves; 12 kept`.
  fileprivate static func history(_ contents: SaveHistory.Contents?) -> String {
    guard let contents else { return localized(".history is off") }
    let damaged =
      contents.damaged == 0
      ? "" : localized(", \(counted(contents.damaged, "line is", "lines are")) damaged")
    return localized(".history keep \(contents.limit) saves; \(contents.saves.count) kept")
      + damaged
  }
}

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
    guard let settings = services.cache else { return report(localized("there is no cache here")) }
    // An untrusted script must not see the names of the user's documents.
    guard !launch.isSafe else { return }
    let entries = CacheListing(settings).entries
    for entry in entries { report(Report.cached(entry, zone)) }
    report(Report.caches(entries, settings))
  }

  fileprivate func clearCaches(at span: SourceSpan) throws {
    try checkSafe(.writing, at: span)
    try checkMayChangeFiles(at: span)
    guard let settings = services.cache else { return report(localized("there is no cache here")) }
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
