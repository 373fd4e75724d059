package import Foundation

extension Timestamp {
  /// Reads a text in a pattern of dates, with English words. Without an offset in the text, it is a time in the zone.
  ///
  ///     try Timestamp("01/31/2024", pattern: "MM/dd/yyyy", in: zone)
  ///
  /// Returns nil if the text does not have the pattern.
  package static func read(
    _ text: String, pattern: String, in zone: ZoneRules
  ) throws(FormatProblem) -> Timestamp? {
    let date = try DatePatternReader.pools.pool(
      DatePatternReader(pattern: pattern, zone: zone.identifier)
    )
    .with { () throws(FormatProblem) in
      try DatePatternReader(pattern: pattern, zone: zone.identifier).formatter()
    } _: {
      $0.date(from: text)
    }
    guard let seconds = date?.timeIntervalSince1970,
      let microseconds = Int64(exactly: (seconds * 1e6).rounded())
    else { return nil }
    let moment = Timestamp(microseconds: microseconds)
    return moment.isInRange ? moment : nil
  }

  /// Returns the last day of January 2024 in a pattern, as an example.
  static func example(of pattern: String) -> String? {
    let moment = Timestamp(microseconds: 1_706_695_200_000_000)
    return try? moment.text(format: pattern, Locale(identifier: "en_US_POSIX"), in: .utc)
  }
}

/// The settings of a formatter that reads dates.
private struct DatePatternReader: Hashable, Sendable {
  var pattern: String
  var zone: String

  static let pools = FormatterPools<DatePatternReader, DateFormatter>()

  /// Creates the formatter; throws if the pattern is invalid.
  func formatter() throws(FormatProblem) -> DateFormatter {
    try DatePattern.check(pattern)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: zone)
    formatter.gregorianStartDate = Date(timeIntervalSince1970: -1e12)
    formatter.isLenient = false
    formatter.dateFormat = pattern
    return formatter
  }
}
