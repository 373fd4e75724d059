import KuraValues

/// Reads days and times off the clock of a zone, for many moments one behind the other.
///
/// It remembers how far the zone is from UTC around the last one, and so rarely looks it up.
struct LocalClock {
  let zone: ZoneRules
  private(set) var stretch: ZoneRules.Stretch

  init(_ zone: ZoneRules) {
    self.zone = zone
    stretch = zone.stretch(at: 0)
  }

  /// Microseconds since 1970-01-01 0:00 as the clock counts.
  @inline(__always)
  mutating func local(_ moment: Int64) -> Int64 {
    if moment < stretch.from || moment >= stretch.until { look(at: moment) }
    return moment &+ stretch.shift
  }

  @inline(never)
  mutating func look(at moment: Int64) { stretch = zone.stretch(at: moment) }
}

extension Int64 {
  static var day: Int64 { 86_400_000_000 }

  /// Whole days of microseconds, rounded down.
  @inline(__always)
  var wholeDays: Int64 {
    let (quotient, rest) = (self / Self.day, self % Self.day)
    return rest < 0 ? quotient &- 1 : quotient
  }

  /// The microseconds of a day that are left.
  @inline(__always)
  var timeOfDay: Int64 {
    let rest = self % Self.day
    return rest < 0 ? rest &+ Self.day : rest
  }
}

/// Year, month and day of a day since 1970, as `CivilDate` has them, for the years 0 to 10,000.
@inline(__always)
func calendarDay(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = UInt32(truncatingIfNeeded: days &+ 719_468)
  let era = shifted / 146_097
  let dayOfEra = shifted &- era &* 146_097
  let yearOfEra =
    (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
  let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
  let day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
  let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
  let year = yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0)
  return (Int64(year), Int64(month), Int64(day))
}
