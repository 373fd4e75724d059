import KuraSentences

/// The reasons why a value cannot be formatted as specified.
package enum FormatProblem: Error, Sendable, Hashable {
  /// An empty pattern, or one with only literal text, which would show nothing of the value.
  case noField(FormatKind)
  /// `t` in a date's pattern, for writing or for reading
  case unknownField(String, isRead: Bool)
  /// `y'x`
  case openQuote
  /// `YYYY-MM-dd`: the year of the week, without the week
  case yearOfWeek(count: Int)
  /// `yyyy-MM-DD`: the day of the year, together with the month
  case dayOfYear(count: Int)
  /// `dd/mm/yyyy`, for reading: the minute without an hour
  case minuteAlone(count: Int, hasMonth: Bool)
  /// `HH:ss`, for reading: the second without a minute
  case secondAlone(count: Int)
  /// `date(n, "seconds")`: the pattern for a number
  case patternOfNumber(String)
  /// `0.0.0`
  case malformed
  /// Longer than any meaningful pattern.
  case tooLong
  /// `xx_YY`
  case unknownLocale(String)
  /// `ja_JP@calendar=japanesse`
  case unknownCalendar(String)
  /// `ja_JP@calender=japanese`
  case unknownKeyword(String)
  /// `currency XYZZ`
  case unknownCurrency(String)
}

/// The type of values that a pattern formats.
package enum FormatKind: Sendable, Hashable {
  case date, number
}

extension FormatProblem {
  /// The problem in one line, for people.
  package var sentence: String {
    switch self {
    case .noField(.date): localized("this pattern has no date fields")
    case .noField(.number): localized("this pattern has no place for digits, such as # or 0")
    case .unknownField(let letter, _): localized("date patterns have no field \"\(letter)\"")
    case .openQuote: localized("the text after ' is never closed")
    case .yearOfWeek(let count):
      localized("\(repeated("Y", count)) is the week-based year, not the calendar year")
    case .dayOfYear(let count):
      localized("\(repeated("D", count)) is the day of the year, not of the month")
    case .minuteAlone(let count, _):
      localized("\(repeated("m", count)) is the minute, and this pattern has no hour")
    case .secondAlone(let count):
      localized("\(repeated("s", count)) is the second, and this pattern has no minute")
    case .patternOfNumber(let pattern):
      localized("a number is read as \"unix\" or \"milliseconds\", not as \"\(pattern)\"")
    case .malformed: localized("this is not a number pattern")
    case .tooLong: localized("the pattern is longer than \(Self.longest) bytes")
    case .unknownLocale(let name): localized("there is no locale \"\(name)\"")
    case .unknownCalendar(let name): localized("there is no calendar \"\(name)\"")
    case .unknownKeyword(let name): localized("a locale has no keyword \"\(name)\"")
    case .unknownCurrency(let code): localized("\"\(code)\" is not a currency code")
    }
  }

  /// A suggestion in one line.
  package var help: String? {
    switch self {
    case .noField(.date):
      localized("as in \"yyyy-MM-dd\", \"M月d日(E) H:mm\", or one of \(DateStyle.words)")
    case .noField(.number), .malformed:
      localized("as in \"#,##0.00\", \"0.0%\", or one of \(NumberStyle.words)")
    case .unknownField(let letter, isRead: true):
      localized(
        "put text in apostrophes: '\(letter)'; for a number, write \"unix\" or \"milliseconds\"")
    case .unknownField(let letter, isRead: false):
      localized("put text in apostrophes: '\(letter)'; the styles are \(DateStyle.words)")
    case .openQuote: localized("write '' for an apostrophe")
    case .yearOfWeek(let count):
      localized("write \(repeated("y", count)); Y is used with w (the week)")
    case .dayOfYear(let count):
      localized("write \(repeated("d", count)); D is used without a month")
    case .minuteAlone(let count, hasMonth: false):
      localized("write \(repeated("M", count)) for the month")
    case .minuteAlone, .secondAlone: localized("write the whole time, as in HH:mm or HH:mm:ss")
    case .patternOfNumber:
      localized("\"unix\" is in seconds since 1970, \"milliseconds\" in milliseconds")
    case .tooLong: nil
    case .unknownLocale: localized("write a locale such as ja_JP, en_US or ja_JP@calendar=japanese")
    case .unknownCalendar:
      localized("available: \(LocaleName.calendars.sorted().joined(separator: " "))")
    case .unknownKeyword: localized("as in ja_JP@calendar=japanese")
    case .unknownCurrency: localized("a currency code has three letters, as in JPY, EUR, USD")
    }
  }

  /// Returns the pattern with the letter that was probably meant; nil if there is none.
  func corrected(_ pattern: String) -> String? {
    switch self {
    case .yearOfWeek: DatePattern.replacing("Y", by: "y", in: pattern)
    case .dayOfYear: DatePattern.replacing("D", by: "d", in: pattern)
    case .minuteAlone(_, hasMonth: false): DatePattern.replacing("m", by: "M", in: pattern)
    case .noField, .unknownField, .openQuote, .minuteAlone, .secondAlone, .patternOfNumber,
      .malformed, .tooLong, .unknownLocale, .unknownCalendar, .unknownKeyword, .unknownCurrency:
      nil
    }
  }

  static let longest = 1024

  private func repeated(_ letter: String, _ count: Int) -> String {
    String(repeating: letter, count: min(count, 8))
  }
}
