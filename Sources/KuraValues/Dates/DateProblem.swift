/// Why a text is no date, as facts.
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
  /// `1935-06-11 18:20 sharp`: the offset of the first byte that is no part of it
  case trailing(at: Int)
  /// The moment is outside the years 1 to 9999 of all zones.
  case outOfRange
}

extension DateProblem {
  /// One line for a person.
  package var sentence: String {
    switch self {
    case .notADate: "this is no date"
    case .year: "years are 1 to 9999"
    case .month(let month): "there is no month \(month)"
    case .day(let day, let month, let year):
      "\(year)-\(twoDigits(month)) has no day \(day)"
    case .hour(let hour): "there is no hour \(hour)"
    case .minute(let minute): "there is no minute \(minute)"
    case .second(let second): "there is no second \(second)"
    case .offset: "the distance from UTC is +HH:MM or -HH:MM"
    case .trailing: "something stands behind the date"
    case .outOfRange: "dates are in the years 1 to 9999"
    }
  }

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
