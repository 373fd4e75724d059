package import Foundation

/// A time zone as a table of its offsets from UTC and the moments when they change.
///
///     let tokyo = ZoneRules(TimeZone(identifier: "Asia/Tokyo"))
///     tokyo.offset(at: 0)   // 32400
///
/// It is a class, so that statements and formats share it without a copy.
package final class ZoneRules: Sendable, Hashable {
  /// `Asia/Tokyo`
  package let identifier: String
  /// The seconds since 1970 at which the offset changes, ascending.
  private let moments: [Int64]
  /// The offset in seconds before the first change, then after each change.
  private let offsets: [Int64]
  /// The moment after which the rules repeat with the calendar, every 400 years.
  private let horizon: Int64

  /// Reads a zone's rules from Foundation; nil means UTC.
  ///
  /// It takes less than a millisecond for a zone that still changes its clocks, and microseconds
  /// for others.
  package init(_ zone: TimeZone?) {
    let table = zone.map(Self.table) ?? (moments: [], offsets: [0])
    identifier = zone?.identifier ?? "UTC"
    moments = table.moments
    offsets = table.offsets
    horizon = Self.firstRepeatedYear + Self.cycle
  }

  /// UTC
  package static let utc = ZoneRules(nil)

  /// All numbers that distinguish its rules from others.
  package var numbers: [Int64] { moments + offsets }

  /// Returns whether both have the same name.
  package static func == (a: ZoneRules, b: ZoneRules) -> Bool { a.identifier == b.identifier }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// The seconds after which the Gregorian calendar repeats, including weekdays.
  private static let cycle: Int64 = 146_097 * 86_400
  /// 2100-01-01, later than any irregular change.
  private static let firstRepeatedYear: Int64 = 4_102_444_800
}

extension ZoneRules {
  /// Returns the offset from UTC, east positive, at a moment in seconds since 1970.
  package func offset(at seconds: Int64) -> Int64 { offsets[segment(at: folded(seconds))] }

  /// A period with a constant offset from UTC, in microseconds.
  package struct Stretch: Sendable {
    /// The first moment of the period, and the first one after it.
    package let from: Int64
    package let until: Int64
    package let shift: Int64
  }

  /// Returns the period around a moment, in microseconds since 1970, in which the offset is
  /// constant.
  package func stretch(at moment: Int64) -> Stretch {
    let second: Int64 = 1_000_000
    let seconds = moment.flooringDivision(by: second).quotient
    let shift = offset(at: seconds) &* second
    if moments.isEmpty { return Stretch(from: .min, until: .max, shift: shift) }
    guard seconds < horizon else {
      return Stretch(from: moment, until: moment &+ 1, shift: shift)
    }
    let number = segment(at: seconds)
    return Stretch(
      from: number == 0 ? .min : moments[number - 1] &* second,
      until: number == moments.count ? horizon &* second : moments[number] &* second, shift: shift)
  }

  /// Returns the local date and time at a moment.
  package func civil(_ moment: Timestamp) -> CivilTime {
    let seconds = moment.microseconds.flooringDivision(by: 1_000_000).quotient
    return CivilTime(microseconds: moment.microseconds &+ offset(at: seconds) &* 1_000_000)
  }

  /// Returns the moment of a local date and time; nil outside the years 1 to 9999.
  ///
  /// If a local time occurs twice, the result is the first moment. If it is skipped, the result is
  /// later by the length of the gap.
  package func moment(_ civil: CivilTime, offset: Int64? = nil) -> Timestamp? {
    let local = civil.microseconds
    let offset = offset ?? offsetForLocal(local.flooringDivision(by: 1_000_000).quotient)
    let result = Timestamp(microseconds: local &- offset &* 1_000_000)
    return result.isInRange ? result : nil
  }

  /// Returns the first moment of a day in the zone: 0:00, or later if that is skipped; nil outside
  /// the years 1 to 9999.
  package func startOfDay(_ moment: Timestamp) -> Timestamp? {
    guard moment.isInRange else { return nil }
    return self.moment(CivilTime(civil(moment).date))
  }

  private func offsetForLocal(_ local: Int64) -> Int64 {
    if moments.isEmpty { return offsets[0] }
    let local = folded(local)
    let before = segment(at: local &- Self.widest)
    // The common case: no change within a day.
    if before == moments.count || moments[before] > local &+ Self.widest { return offsets[before] }
    return offsetNearChange(local, from: before)
  }

  private func offsetNearChange(_ local: Int64, from first: Int) -> Int64 {
    for i in first..<moments.count {
      // Before the change with the old offset: the first of two moments, if there are two.
      if local - offsets[i] < moments[i] { return offsets[i] }
      // After the change with the old offset, before it with the new one: a gap, which moves the
      // time forward.
      if local - offsets[i + 1] < moments[i] { return offsets[i] }
    }
    return offsets[moments.count]
  }

  /// The maximum offset from UTC, and the minimum distance of two changes, in seconds.
  private static let widest: Int64 = 86_400

  private func folded(_ seconds: Int64) -> Int64 {
    if seconds < horizon || moments.isEmpty { return seconds }
    return Self.firstRepeatedYear + (seconds - Self.firstRepeatedYear) % Self.cycle
  }

  /// Returns the number of changes at or before a moment.
  private func segment(at seconds: Int64) -> Int {
    guard let last = moments.last, seconds < last else { return moments.count }
    var low = 0
    var high = moments.count - 1
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func table(_ zone: TimeZone) -> (moments: [Int64], offsets: [Int64]) {
    let earliest = Date(timeIntervalSince1970: Double(Timestamp.earliest.microseconds / 1_000_000))
    let end = Date(timeIntervalSince1970: Double(firstRepeatedYear + cycle) + 400 * 86_400)
    var moments: [Int64] = []
    var offsets = [Int64(zone.secondsFromGMT(for: earliest))]
    var date = earliest
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < end {
      let offset = Int64(zone.secondsFromGMT(for: next))
      // Some changes only affect the abbreviation.
      if offset != offsets.last {
        moments.append(Int64(next.timeIntervalSince1970.rounded()))
        offsets.append(offset)
      }
      date = next
    }
    return (moments, offsets)
  }
}
