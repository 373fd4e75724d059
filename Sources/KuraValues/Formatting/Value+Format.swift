package import Foundation

extension Value {
  /// Returns a number in a pattern or a named style, with the symbols of a locale; nil for other
  /// values.
  ///
  ///     try Value.double(1234.5).numberText(format: "#,##0.00", nil)   // 1,234.50
  package func numberText(
    format: String, _ locale: Locale?
  ) throws(FormatProblem) -> String? {
    guard let digits = formattedDigits else { return nil }
    let style = try NumberStyle(format)
    let layout = NumberLayout(
      pattern: style == nil ? format : nil, style: style, locale: locale?.identifier ?? "en_US")
    return try layout.text(digits)
  }

  /// Returns a number in a style; nil for other values.
  package func numberText(_ style: NumberStyle, _ locale: Locale) throws(FormatProblem) -> String? {
    guard let digits = formattedDigits else { return nil }
    return try NumberLayout(pattern: nil, style: style, locale: locale.identifier).text(digits)
  }

  /// All digits of a number.
  private var formattedDigits: String? {
    switch self {
    case .integer(let x): "\(x)"
    case .double(let x): x.isFinite ? x.description : nil
    case .decimal(let x): x.isNaN ? nil : NumberText.text(x)
    case .null, .boolean, .string, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
      nil
    }
  }
}

/// The settings of a number formatter.
struct NumberLayout: Hashable, Sendable {
  var pattern: String?
  var style: NumberStyle?
  var locale: String

  private static let pools = FormatterPools<NumberLayout, NumberEngine>()

  /// Returns the formatted number; throws if the pattern is invalid.
  func text(_ digits: String) throws(FormatProblem) -> String {
    try Self.pools.pool(self).with { () throws(FormatProblem) in
      if let pattern { try NumberPattern.check(pattern) }
      return try NumberEngine(self)
    } _: {
      $0.text(digits)
    }
  }
}

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
    // A formatter rounds to milliseconds, so that 23:59:59.9996 would be the next day.
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
    let date = Date(timeIntervalSince1970: Double(rest < 0 ? whole - 1 : whole) / 1e3)
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
