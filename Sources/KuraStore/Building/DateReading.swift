import Foundation
import KuraValues

/// Reads the dates of a document. Most of them are days in the store's zone.
///
/// A day is counted from the start of its month. If that is not possible, as in a month in which summer time begins, a
/// table caches the days that were read before. Other texts are parsed in full.
final class DateReading {
  private let rules: ZoneRules
  private let months = MonthStarts()
  /// The moments at which days begin, by the day's number modulo the table's size.
  private var days: UnsafeMutablePointer<Day>?

  /// A reader with the same rules, for a second thread.
  private(set) lazy var sibling = DateReading(rules: rules)

  /// An entry of the table. An unused entry is zero, which is not the number of a day.
  private struct Day {
    var mark: Int64
    var microseconds: Int64
  }

  private static let tableSize = 1 << 16

  init(rules: ZoneRules) { self.rules = rules }

  deinit {
    months.free()
    free(days)
  }

  /// A reader for plain JSON, which keeps strings as strings.
  static var utc: DateReading { DateReading(rules: .utc) }
}

extension DateReading {
  /// Returns the microseconds since 1970, or nil if the text is not a date.
  @inline(__always)
  func read(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int64? {
    guard length == 10, let number = dayNumber(text) else { return readInFull(text, length) }
    return months.start(ofDay: number & 31, month: number >> 5, rules) ?? known(number, text)
  }

  /// Looks a day up in the table of days, or parses it in full.
  @inline(never)
  private func known(_ number: Int64, _ text: UnsafePointer<UInt8>) -> Int64? {
    let table = days ?? makeTable()
    let place = table + Int(truncatingIfNeeded: number) & (DateReading.tableSize - 1)
    if place.pointee.mark == number + 1 { return place.pointee.microseconds }
    guard let moment = readInFull(text, 10) else { return nil }
    place.pointee = Day(mark: number + 1, microseconds: moment)
    return moment
  }

  @inline(never)
  private func readInFull(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int64? {
    Timestamp.read(UnsafeBufferPointer(start: text, count: length), in: rules)?.microseconds
  }

  /// Allocates a megabyte; the system provides only the pages that are written to.
  @inline(never)
  private func makeTable() -> UnsafeMutablePointer<Day> {
    let size = DateReading.tableSize
    let zeros = calloc(size, MemoryLayout<Day>.stride)
    let table = zeros?.bindMemory(to: Day.self, capacity: size) ?? .allocate(capacity: size)
    if zeros == nil { table.initialize(repeating: Day(mark: 0, microseconds: 0), count: size) }
    days = table
    return table
  }

  /// Returns a number that is distinct for each `YYYY-MM-DD`, or nil for another form.
  ///
  /// It does not check that the day exists: the table only has days that were parsed in full.
  @inline(__always)
  private func dayNumber(_ text: UnsafePointer<UInt8>) -> Int64? {
    guard text[4] == 0x2D, text[7] == 0x2D else { return nil }
    let digits = (
      Int64(text[0] &- 0x30), Int64(text[1] &- 0x30), Int64(text[2] &- 0x30),
      Int64(text[3] &- 0x30), Int64(text[5] &- 0x30), Int64(text[6] &- 0x30),
      Int64(text[8] &- 0x30), Int64(text[9] &- 0x30)
    )
    let largest = max(
      max(max(digits.0, digits.1), max(digits.2, digits.3)),
      max(max(digits.4, digits.5), max(digits.6, digits.7)))
    guard largest < 10 else { return nil }
    let year = digits.0 * 1000 + digits.1 * 100 + digits.2 * 10 + digits.3
    let month = digits.4 * 10 + digits.5
    let day = digits.6 * 10 + digits.7
    return month < 16 && day < 32 ? year << 9 | month << 5 | day : nil
  }
}

/// The start times of the months without a clock change, in which days can be counted.
///
/// An entry has sixteen bytes: the entries of a century fit into the L1 cache, unlike a table of its days.
struct MonthStarts {
  /// The months by their number modulo the table's size.
  private let table: UnsafeMutablePointer<Month>

  /// An entry of the table. An unused entry is zero, which is not the number of a month.
  private struct Month {
    var mark: Int32
    /// The number of days that can be counted; 0 if a clock is changed in or near the month.
    var days: Int32
    /// The microseconds since 1970 at which the month begins.
    var start: Int64
  }

  /// Months that are 256 years apart share an entry.
  private static let tableSize = 1 << 12

  init() {
    table = .allocate(capacity: MonthStarts.tableSize)
    table.initialize(repeating: Month(mark: 0, days: 0, start: 0), count: MonthStarts.tableSize)
  }

  func free() { table.deallocate() }
}

extension MonthStarts {
  /// Returns when a day begins, in microseconds since 1970; nil if it cannot be counted from its month.
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

  /// Returns whether no clock is changed from two days before the month until two days after it.
  private static func isEven(_ start: Timestamp, _ days: Int, _ rules: ZoneRules) -> Bool {
    let stretch = rules.stretch(at: start.microseconds)
    return stretch.from < start.microseconds - 2 * CivilTime.day
      && stretch.until > start.microseconds + Int64(days + 2) * CivilTime.day
  }
}
