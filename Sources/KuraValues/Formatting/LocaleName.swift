package import Foundation
import Synchronization

/// Names of locales in common notations: `ja_JP`, `ja-JP`, `ja_JP@calendar=japanese`,
/// `ja-JP-u-ca-japanese`.
package enum LocaleName {
  /// The calendars in names of locales.
  package static let calendars: Set<String> = [
    "buddhist", "chinese", "coptic", "ethiopic", "ethiopic-amete-alem", "gregorian", "gregory",
    "hebrew", "indian", "islamic", "islamic-civil", "islamic-tbla", "islamic-umalqura", "iso8601",
    "japanese", "persian", "roc",
  ]

  /// The keywords after `@`.
  private static let keywords: Set<String> = ["calendar", "collation", "currency", "numbers"]

  /// The locales that ICU knows.
  package static let known = Set(Locale.availableIdentifiers)

  /// Returns the locale with a name. Throws the problem with the name.
  package static func locale(_ name: String) throws(FormatProblem) -> Locale {
    let identifier = icuIdentifier(name)
    let parts = identifier.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard isKnown(String(parts[0])) else { throw .unknownLocale(name) }
    if parts.count > 1 { try check(keywords: parts[1]) }
    return Locale(identifier: identifier)
  }

  /// Returns whether a language and region are valid, even if ICU has no data for the combination:
  /// `en_JP`, and `zh_CN`, which omits the script.
  private static func isKnown(_ base: String) -> Bool {
    if known.contains(base) { return true }
    let parts = base.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && known.contains(parts[0])
      && Locale.Region.isoRegions.contains { $0.identifier == parts[1] }
  }

  /// Returns ICU's name: `ja_JP` for `ja-JP`; `ja_JP@calendar=japanese` for `ja-JP-u-ca-japanese`.
  private static func icuIdentifier(_ name: String) -> String {
    if name.contains("-u-") { return Locale.identifier(.icu, from: name) }
    let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let base = String(parts[0]).replacing("-", with: "_")
    return parts.count > 1 ? "\(base)@\(parts[1])" : String(base)
  }

  private static func check(keywords text: Substring) throws(FormatProblem) {
    for pair in text.split(separator: ";", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, keywords.contains(parts[0].lowercased()) else {
        throw .unknownKeyword(String(parts[0]))
      }
      if parts[0].lowercased() == "calendar", !calendars.contains(parts[1].lowercased()) {
        throw .unknownCalendar(String(parts[1]))
      }
    }
  }
}

/// A pool of formatters, which are not safe for concurrent use. Each is lent to one user at a time.
final class FormatterPool<Formatter>: Sendable {
  private let idle = Mutex(Idle())

  private struct Idle: @unchecked Sendable {
    var formatters: [Formatter] = []
  }

  /// Calls a closure with a formatter, which is created if all are in use.
  func with<Result>(
    _ make: () throws(FormatProblem) -> Formatter, _ body: (Formatter) -> Result
  ) throws(FormatProblem) -> Result {
    let known = idle.withLock { $0.formatters.popLast() }
    let formatter: Formatter
    if let known { formatter = known } else { formatter = try make() }
    defer { giveBack(formatter) }
    return body(formatter)
  }

  private func giveBack(_ formatter: Formatter) {
    let lent = Idle(formatters: [formatter])
    idle.withLock { $0.formatters += lent.formatters }
  }
}

/// The pools of recently used patterns.
final class FormatterPools<Key: Hashable & Sendable, Formatter>: Sendable {
  private let pools = Mutex<[Key: FormatterPool<Formatter>]>([:])
  /// More patterns than a statement contains. Patterns can also be computed per row.
  private static var limit: Int { 64 }

  func pool(_ key: Key) -> FormatterPool<Formatter> {
    pools.withLock { pools in
      if let pool = pools[key] { return pool }
      if pools.count >= Self.limit { pools.removeAll() }
      let pool = FormatterPool<Formatter>()
      pools[key] = pool
      return pool
    }
  }
}
