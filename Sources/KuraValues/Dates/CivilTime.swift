/// A date and time without a time zone.
package struct CivilTime: Sendable, Hashable {
  package var date: CivilDate
  /// The microseconds since 0:00 on the clock, 0 to 86,399,999,999.
  package var microsecondOfDay: Int64

  package init(_ date: CivilDate, microsecondOfDay: Int64 = 0) {
    self.date = date
    self.microsecondOfDay = microsecondOfDay
  }

  /// Creates the time that is this many microseconds after 1970-01-01 0:00 on the same clock.
  package init(microseconds: Int64) {
    let (days, rest) = microseconds.flooringDivision(by: Self.day)
    self.init(CivilDate(daysSince1970: Int(days)), microsecondOfDay: rest)
  }

  /// The microseconds since 1970-01-01 0:00 on the same clock.
  package var microseconds: Int64 { Int64(date.daysSince1970) * Self.day + microsecondOfDay }

  /// The hour, 0 to 23.
  package var hour: Int { Int(microsecondOfDay / 3_600_000_000) }
  /// The minute, 0 to 59.
  package var minute: Int { Int(microsecondOfDay / 60_000_000 % 60) }
  /// The second, 0 to 59.
  package var second: Int { Int(microsecondOfDay / 1_000_000 % 60) }
  /// The microsecond, 0 to 999,999.
  package var microsecond: Int { Int(microsecondOfDay % 1_000_000) }

  /// The microseconds of a day of 24 hours.
  package static let day: Int64 = 86_400_000_000
}

extension Int64 {
  /// Returns the quotient, rounded down, and the remainder, which is never negative for a positive
  /// divisor.
  package func flooringDivision(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
  /// The year; 1 to 9999 in dates that can be read and written.
  package var year: Int
  /// The month, 1 to 12.
  package var month: Int
  /// The day, 1 to 31.
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day that is this many days after 1970-01-01.
  ///
  /// The calculation starts years in March, so that the leap day is the last day of its year.
  package init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The days since 1970-01-01.
  package var daysSince1970: Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The weekday, from 1 for Sunday to 7 for Saturday.
  package var weekday: Int {
    let fromSunday = (daysSince1970 + 4) % 7
    return (fromSunday < 0 ? fromSunday + 7 : fromSunday) + 1
  }

  /// The number of days of its month.
  package var lengthOfMonth: Int {
    switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  /// Returns the day a number of months later, or the last day of that month if it is shorter.
  ///
  ///     CivilDate(year: 2024, month: 1, day: 31).adding(months: 1)   // 2024-02-29
  package func adding(months: Int) -> CivilDate {
    let count = year * 12 + (month - 1) + months
    let newYear = count >= 0 ? count / 12 : (count - 11) / 12
    var result = CivilDate(year: newYear, month: count - newYear * 12 + 1, day: 1)
    result.day = min(day, result.lengthOfMonth)
    return result
  }
}
