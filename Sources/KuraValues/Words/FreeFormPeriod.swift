/// A period that a text describes less precisely than a day, or relative to today.
///
///     2009   2009年   平成21年   2009年1月   2009-01   12月   7月20日   3日前   next week
package enum FreeFormPeriod: Sendable, Hashable {
  case year(Int)
  case month(year: Int, month: Int)
  /// An era or a decade: its first day, and the first day of the next one, if there is one.
  case days(from: CivilDate, before: CivilDate?)
  /// A month in any year.
  case monthOfYear(Int)
  /// A day in any year.
  case dayOfYear(month: Int, day: Int)
  /// A number of units from today: `day`, `month`, `year`.
  case relative(Int, unit: String)

  /// Parses a text that is not a date; nil if it is not a period either.
  package init?(_ text: String) {
    let plain = FreeFormNumber.plain(text).filter { $0 != " " && $0 != "\u{3000}" }.lowercased()
    guard plain.utf8.count <= 40,
      let found = Self.relative(plain) ?? Self.year(plain) ?? Self.month(plain) ?? Self.day(plain)
        ?? Self.era(plain) ?? Self.decade(plain)
    else { return nil }
    self = found
  }
}

extension FreeFormPeriod {
  /// Parses `2009`, `2009年` or `平成21年`; `2009年度` is not a year.
  private static func year(_ text: String) -> FreeFormPeriod? {
    guard text.hasSuffix("年") || text.count == 4, let digits = FreeFormNumber.digits(text),
      let year = Int(digits), (1...9999).contains(year), digits.count == 4
    else { return nil }
    return .year(year)
  }

  /// `平成`, `平成時代`
  private static func era(_ text: String) -> FreeFormPeriod? {
    guard
      let place = Era.all.firstIndex(where: { text == $0.name || text == $0.name + "時代" })
    else { return nil }
    return .days(
      from: Era.all[place].start, before: place == 0 ? nil : Era.all[place - 1].start)
  }

  /// `1990s`, `1990年代`
  private static func decade(_ text: String) -> FreeFormPeriod? {
    guard let ending = ["年代", "'s", "s"].first(where: text.hasSuffix),
      let year = Int(text.dropLast(ending.count)), (1000...9990).contains(year), year % 10 == 0
    else { return nil }
    return .days(
      from: CivilDate(year: year, month: 1, day: 1),
      before: CivilDate(year: year + 10, month: 1, day: 1))
  }

  /// Parses `2009年1月`, `2009-01`, `January2009`, `12月` or `dec`.
  private static func month(_ text: String) -> FreeFormPeriod? {
    if let month = monthName(text) { return .monthOfYear(month) }
    if text.hasSuffix("月"), let month = number(text.dropLast(), in: 1...12) {
      return .monthOfYear(month)
    }
    let parts = text.hasSuffix("月") ? text.dropLast().split(separator: "年") : parts(text)
    if parts.count == 2, let year = fullYear(parts[0]), let month = number(parts[1], in: 1...12) {
      return .month(year: year, month: month)
    }
    let letters = text.prefix { $0.isLetter }
    guard let month = monthName(String(letters)),
      let year = fullYear(text.dropFirst(letters.count))
    else { return nil }
    return .month(year: year, month: month)
  }

  private static func fullYear(_ text: some StringProtocol) -> Int? {
    if let year = FreeFormNumber.digits(text + "年"), year.count == 4 { return Int(year) }
    return nil
  }

  /// Parses `7月20日` or `7/20`.
  private static func day(_ text: String) -> FreeFormPeriod? {
    let parts = text.hasSuffix("日") ? text.dropLast().split(separator: "月") : parts(text)
    guard parts.count == 2, let month = number(parts[0], in: 1...12),
      let day = number(parts[1], in: 1...31)
    else { return nil }
    return .dayOfYear(month: month, day: day)
  }

  private static func parts(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
  }

  private static func number(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func monthName(_ text: String) -> Int? {
    guard text.count >= 3 else { return nil }
    let names = FreeFormDate.monthNames
    return names.firstIndex { $0 == text || String($0.prefix(3)) == text }.map { $0 + 1 }
  }

  /// Parses `3日前`, `2 weeks ago` or `来月`.
  private static func relative(_ text: String) -> FreeFormPeriod? {
    if let (count, unit) = words[text] { return .relative(count, unit: unit) }
    for (suffix, sign) in [("前", -1), ("後", 1), ("ago", -1), ("later", 1)]
    where text.hasSuffix(suffix) {
      return counted(text.dropLast(suffix.count), sign)
    }
    return text.hasPrefix("in") ? counted(text.dropFirst(2), 1) : nil
  }

  private static func counted(_ text: Substring, _ sign: Int) -> FreeFormPeriod? {
    let digits = text.prefix { $0.isNumber }
    guard let count = Int(digits), count < 10_000,
      let (each, unit) = units[String(text.dropFirst(digits.count))]
    else { return nil }
    return .relative(sign * count * each, unit: unit)
  }

  private static let units: [String: (Int, String)] = [
    "日": (1, "day"), "day": (1, "day"), "days": (1, "day"), "週": (7, "day"), "週間": (7, "day"),
    "week": (7, "day"), "weeks": (7, "day"), "月": (1, "month"), "ヶ月": (1, "month"),
    "か月": (1, "month"), "ヵ月": (1, "month"), "month": (1, "month"), "months": (1, "month"),
    "年": (1, "year"), "year": (1, "year"), "years": (1, "year"),
  ]
  private static let words: [String: (Int, String)] = [
    "来週": (7, "day"), "先週": (-7, "day"), "来月": (1, "month"), "先月": (-1, "month"),
    "来年": (1, "year"), "去年": (-1, "year"), "昨年": (-1, "year"), "明日": (1, "day"),
    "昨日": (-1, "day"), "今日": (0, "day"), "nextweek": (7, "day"), "lastweek": (-7, "day"),
    "nextmonth": (1, "month"), "lastmonth": (-1, "month"), "nextyear": (1, "year"),
    "lastyear": (-1, "year"), "tomorrow": (1, "day"), "yesterday": (-1, "day"), "today": (0, "day"),
  ]

  /// The first day, if the text determines the year; nil for a period in every year.
  package var start: CivilDate? {
    switch self {
    case .year(let year): CivilDate(year: year, month: 1, day: 1)
    case .month(let year, let month): CivilDate(year: year, month: month, day: 1)
    case .days(let start, _): start
    case .monthOfYear, .dayOfYear, .relative: nil
    }
  }

  /// The first day after it; nil also for an era that has not ended.
  package var end: CivilDate? {
    switch self {
    case .year(let year): CivilDate(year: year + 1, month: 1, day: 1)
    case .month(let year, 12): CivilDate(year: year + 1, month: 1, day: 1)
    case .month(let year, let month): CivilDate(year: year, month: month + 1, day: 1)
    case .days(_, let end): end
    case .monthOfYear, .dayOfYear, .relative: nil
    }
  }
}
