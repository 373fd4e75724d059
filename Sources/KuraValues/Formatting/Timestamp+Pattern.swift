import Foundation

extension Timestamp {
  /// Reads a text in a pattern of dates, with English words. Without an offset in the text, it is a time in the zone.
  ///
  ///     try Timestamp("01/31/2024", pattern: "MM/dd/yyyy", in: zone)
  ///
  /// Returns nil if the text does not have the pattern, or has another weekday than the day.
  package static func read(
    _ text: String, pattern: String, in zone: ZoneRules
  ) throws(FormatProblem) -> Timestamp? {
    let fields = DatePattern.letters(of: pattern)
    // A time of the zone is read as a time in UTC, so that skipped and repeated hours have the meaning that they have in
    // other dates.
    let hasZone = !fields.isDisjoint(with: "zZOvVXx")
    let reader = DatePatternReader(pattern: pattern, zone: hasZone ? zone.identifier : "UTC")
    let date = try DatePatternReader.pools.pool(reader).with(reader.formatter) {
      $0.date(from: text)
    }
    guard let seconds = date?.timeIntervalSince1970,
      let microseconds = Int64(exactly: (seconds * 1e6).rounded())
    else { return nil }
    let moment = Timestamp(microseconds: microseconds)
    guard moment.isInRange else { return nil }
    if hasZone { return moment }
    let civil = ZoneRules.utc.civil(moment)
    if !fields.isDisjoint(with: "Eec"), text.names(anotherWeekdayThan: civil.date) { return nil }
    // The formatter reads 24 as the year 24 for yyyy.
    if pattern.contains("yyyy"), civil.date.year < 1000, !text.contains("0\(civil.date.year)") {
      return nil
    }
    return zone.moment(civil)
  }

  /// Returns the last day of January 2024 in a pattern, as an example.
  static func example(of pattern: String) -> String? {
    let moment = Timestamp(microseconds: 1_706_695_200_000_000)
    return try? moment.text(format: pattern, Locale(identifier: "en_US_POSIX"), in: .utc)
  }
}

extension String {
  private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  /// Returns whether a word is the name of a weekday, in full or abbreviated, but not of a date's weekday.
  fileprivate func names(anotherWeekdayThan date: CivilDate) -> Bool {
    lowercased().split { !$0.isLetter }.contains { word in
      Self.weekdays.firstIndex { word.hasPrefix($0) }.map { $0 + 1 != date.weekday } ?? false
    }
  }
}

/// The settings of a formatter that reads dates.
private struct DatePatternReader: Hashable, Sendable {
  var pattern: String
  var zone: String

  static let pools = FormatterPools<DatePatternReader, DateFormatter>()

  /// Creates the formatter; throws if the pattern is invalid.
  func formatter() throws(FormatProblem) -> DateFormatter {
    try DatePattern.check(pattern, isRead: true)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: zone)
    formatter.gregorianStartDate = Date(timeIntervalSince1970: -1e12)
    formatter.isLenient = false
    formatter.dateFormat = pattern
    return formatter
  }
}
