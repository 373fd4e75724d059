/// What calendar and clock say, without a zone.
package struct CivilTime: Sendable, Hashable {
  /// The day.
  package var date: CivilDate
  /// Microseconds since 0:00 as the clock counts, 0 to 86,399,999,999.
  package var microsecondOfDay: Int64

  package init(_ date: CivilDate, microsecondOfDay: Int64 = 0) {
    self.date = date
    self.microsecondOfDay = microsecondOfDay
  }

  /// The time so many microseconds after 1970-01-01 0:00 on the same clock.
  package init(microseconds: Int64) {
    let (days, rest) = microseconds.flooringDivision(by: Self.day)
    self.init(CivilDate(daysSince1970: Int(days)), microsecondOfDay: rest)
  }

  /// Microseconds since 1970-01-01 0:00 on the same clock.
  package var microseconds: Int64 { Int64(date.daysSince1970) * Self.day + microsecondOfDay }

  /// 0 to 23
  package var hour: Int { Int(microsecondOfDay / 3_600_000_000) }
  /// 0 to 59
  package var minute: Int { Int(microsecondOfDay / 60_000_000 % 60) }
  /// 0 to 59
  package var second: Int { Int(microsecondOfDay / 1_000_000 % 60) }
  /// 0 to 999,999
  package var microsecond: Int { Int(microsecondOfDay % 1_000_000) }

  /// Microseconds of a day of 24 hours.
  package static let day: Int64 = 86_400_000_000
}

extension Int64 {
  /// Quotient rounded down, and the rest, which is never negative for a positive divisor.
  package func flooringDivision(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
