import KuraSentences

/// The reasons why a text is not a date.
package enum DateProblem: Error, Sendable, Hashable {
  /// `soon`
  case notADate
  /// `0000-01-01`
  case year(Int)
  /// `1935-13-01`
  case month(Int)
  /// `2023-02-30`
  case day(Int, month: Int, year: Int)
  /// `1935-06-11 24:00`
  case hour(Int)
  /// `1935-06-11 18:60`
  case minute(Int)
  /// `1935-06-11 18:20:60`
  case second(Int)
  /// `1935-06-11 18:20+25:00`
  case offset
  /// `1935-06-11 18:20 sharp`: the offset of the first byte that is not part of the date
  case trailing(at: Int)
  /// The moment is outside the years 1 to 9999 of all time zones.
  case outOfRange
  /// `date(1517932243470, "unix")`, a date if the number counts milliseconds
  case milliseconds
  /// `2021年7月20日(水)`, which was a Tuesday: the weekday as written, with 1 for Sunday
  case weekday(Int, of: CivilDate)
  /// `平成40年1月1日`, and the day that results from counting on
  case outsideEra(String, CivilDate)
  /// `01/02/2011`, and its possible meanings
  case ambiguous([String])
  /// `7月20日`
  case missingYear(month: Int, day: Int)
  /// `2009年1月`
  case missingDay
  /// `13.1.11`
  case shortYear
  /// `31.1.2024` for the pattern `MM/dd/yyyy`
  case notInPattern(String)
  /// `今日`, if the current day is unknown
  case relative(String)
}

extension DateProblem {
  /// The problem in one line, for people.
  package var sentence: String {
    switch self {
    case .notADate: localized("this is not a date")
    case .year: localized("years range from 1 to 9999")
    case .month(let month): localized("there is no month \(month)")
    case .day(let day, let month, let year):
      localized("\(year)-\(written(month)) has no day \(day)")
    case .hour(let hour): localized("there is no hour \(hour)")
    case .minute(let minute): localized("there is no minute \(minute)")
    case .second(let second): localized("there is no second \(second)")
    case .offset: localized("the UTC offset is not valid; write +HH:MM or -HH:MM")
    case .trailing: localized("unexpected text after the date")
    case .outOfRange, .milliseconds: localized("the date is outside the years 1 to 9999")
    case .weekday(let written, let date):
      localized(
        "\(Timestamp.text(of: date)) is a \(Self.name(date.weekday)), not a \(Self.name(written))")
    case .outsideEra(_, let date):
      localized("the era does not include this day, which is \(date.eraText)")
    case .ambiguous(let readings): localized("this can mean \(readings.alternatives)")
    case .missingYear: localized("the year is missing")
    case .missingDay: localized("the day is missing")
    case .shortYear: localized("the year needs four digits")
    case .notInPattern(let pattern): localized("the text does not match the pattern \"\(pattern)\"")
    case .relative(let word): localized("\(word) depends on the current day")
    }
  }

  /// A suggestion in one line; nil if this problem has none of its own.
  package var help: String? {
    switch self {
    case .milliseconds:
      localized("if the number counts milliseconds, write \"milliseconds\" instead of \"unix\"")
    case .weekday: localized("correct the date or the weekday, or omit the weekday")
    case .outsideEra(_, let date):
      localized("write \(date.eraText), or \(Timestamp.text(of: date))")
    case .ambiguous(let readings) where readings.contains { $0.contains(":") }:
      localized("write the hour from 0 to 23, as in 0:00 or 12:00")
    case .ambiguous(let readings): localized("write \(readings.alternatives)")
    case .missingYear(let month, let day):
      localized("as in 2010-\(twoDigits(month))-\(twoDigits(day))")
    case .missingDay:
      localized("for a whole month, write >= its first day AND < the first day of the next")
    case .notInPattern(let pattern):
      Timestamp.example(of: pattern).map { localized("as in \"\($0)\"") }
    case .shortYear: localized("as in 2011-01-13")
    case .relative:
      localized("use today(), yesterday() or tomorrow(), which are computed each time")
    default: nil
    }
  }

  /// `02` in a date with hyphens, `2` before 月.
  private func written(_ month: Int) -> String {
    Language.current == .japanese ? "\(month)" : twoDigits(month)
  }

  /// `Tuesday (火)`
  private static func name(_ weekday: Int) -> String {
    let kanji = Array("日月火水木金土")
    let day = (weekday - 1) % 7
    return Language.current == .japanese
      ? weekdays[day].localized : "\(weekdays[day]) (\(kanji[day]))"
  }

  static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
