package import Foundation

extension Timestamp {
  /// Returns the moment in a pattern or a named style, with the words of a locale.
  ///
  ///     try moment.text(format: "M月d日(E) H:mm", nil, in: zone)   // 7月20日(火) 18:20
  ///
  /// Without a locale, the language of the pattern is used.
  package func text(
    format: String, _ locale: Locale?, in zone: ZoneRules
  ) throws(FormatProblem) -> String {
    let locale = locale ?? DatePattern.locale(of: format)
    guard let style = DateStyle(format) else {
      return try text(DateLayout(pattern: format, locale: locale.identifier, zone: zone.identifier))
    }
    return try text(style, locale, in: zone)
  }

  /// Returns the moment in a style of a locale. After a day, seconds are written unless they are
  /// zero.
  package func text(
    _ style: DateStyle, _ locale: Locale, in zone: ZoneRules
  ) throws(FormatProblem) -> String {
    let clock = zone.civil(self)
    let hasTime = style.part.map { $0 != .date } ?? (clock.microsecondOfDay != 0)
    let hasSeconds = clock.microsecondOfDay % 60_000_000 != 0
    return try text(
      DateLayout(
        day: style.part == .time ? nil : style.length,
        time: !hasTime ? nil : style.part == .time ? style.length : hasSeconds ? .medium : .short,
        locale: locale.identifier, zone: zone.identifier))
  }

  private func text(_ layout: DateLayout) throws(FormatProblem) -> String {
    let date = Date(timeIntervalSince1970: Double(microseconds) / 1e6)
    return try DateLayout.pools.pool(layout).with {
      () throws(FormatProblem) in
      try layout.formatter()
    } _: {
      $0.string(from: date)
    }
  }
}

/// The settings of a date formatter.
private struct DateLayout: Hashable, Sendable {
  var pattern: String?
  var day: DateStyle.Length?
  var time: DateStyle.Length?
  var locale: String
  var zone: String

  static let pools = FormatterPools<DateLayout, DateFormatter>()

  /// Creates the formatter; throws if the pattern is invalid.
  func formatter() throws(FormatProblem) -> DateFormatter {
    if let pattern { try DatePattern.check(pattern) }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: locale)
    formatter.timeZone = TimeZone(identifier: zone)
    // Use the Gregorian calendar also for dates before its introduction, as elsewhere.
    formatter.gregorianStartDate = Date(timeIntervalSince1970: -1e12)
    if let pattern {
      formatter.dateFormat = pattern
    } else {
      formatter.dateStyle = day?.foundation ?? .none
      formatter.timeStyle = time?.foundation ?? .none
    }
    return formatter
  }
}
