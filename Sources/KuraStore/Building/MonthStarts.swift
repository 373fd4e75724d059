import Foundation
import KuraValues

/// The first moments of the months of a zone in which no clock is changed, so that its days are found by counting.
///
/// Sixteen bytes a month: those of a century are in a core's nearest memory, where a table of its days is not.
struct MonthStarts {
  /// The months by their numbers modulo the table's size.
  private let table: UnsafeMutablePointer<Month>

  /// A place of the table; one that nothing was written to is zero, and so no month's.
  private struct Month {
    var mark: Int32
    /// How many days can be counted; none of a month in which, or near which, a clock is changed.
    var days: Int32
    /// Microseconds since 1970 at which it begins.
    var start: Int64
  }

  /// Of two months with 256 years between them one alone is kept.
  private static let tableSize = 1 << 12

  init() {
    table = .allocate(capacity: MonthStarts.tableSize)
    table.initialize(repeating: Month(mark: 0, days: 0, start: 0), count: MonthStarts.tableSize)
  }

  func free() { table.deallocate() }
}

extension MonthStarts {
  /// When a day begins, in microseconds since 1970; nil if that is not to be counted from its month.
  ///
  /// A month has the number `year << 4 | month`.
  @inline(__always)
  func start(ofDay day: Int64, month: Int64, _ rules: ZoneRules) -> Int64? {
    let place = table + Int(truncatingIfNeeded: month) & (MonthStarts.tableSize - 1)
    if place.pointee.mark != month + 1 { place.pointee = MonthStarts.month(month, rules) }
    let before = UInt64(bitPattern: day - 1)
    guard before < UInt64(place.pointee.days) else { return nil }
    return place.pointee.start + Int64(before) * CivilTime.day
  }

  @inline(never)
  private static func month(_ number: Int64, _ rules: ZoneRules) -> Month {
    let mark = Int32(truncatingIfNeeded: number + 1)
    let first = CivilDate(year: Int(number >> 4), month: Int(number & 15), day: 1)
    guard (1...12).contains(first.month), (2...9998).contains(first.year),
      let start = rules.moment(CivilTime(first)), isEven(start, first.lengthOfMonth, rules)
    else { return Month(mark: mark, days: 0, start: 0) }
    return Month(mark: mark, days: Int32(first.lengthOfMonth), start: start.microseconds)
  }

  /// Whether no clock is changed from two days before the month until two days behind it.
  private static func isEven(_ start: Timestamp, _ days: Int, _ rules: ZoneRules) -> Bool {
    let stretch = rules.stretch(at: start.microseconds)
    return stretch.from < start.microseconds - 2 * CivilTime.day
      && stretch.until > start.microseconds + Int64(days + 2) * CivilTime.day
  }
}
