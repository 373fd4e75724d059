/// Reads a date from UTF-8 bytes, without allocation.
///
/// It accepts the forms of the language: `1935-06-11`, `1935/6/1`, `2010-07-20 18:20`, seconds and
/// their fractions, and RFC 3339 with `T` or a blank, and `Z` or an offset from UTC.
struct DateReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Returns the date and time, and the offset from UTC in seconds if the text has one.
  mutating func read() throws(DateProblem) -> (civil: CivilTime, offset: Int64?) {
    var civil = CivilTime(try readDay())
    guard position < bytes.count else { return (civil, nil) }
    guard skip(0x54) || skip(0x74) || skip(0x20) else { throw .trailing(at: position) }
    civil.microsecondOfDay = try readClock()
    let offset = try readOffset()
    guard position == bytes.count else { throw .trailing(at: position) }
    return (civil, offset)
  }

  private mutating func readDay() throws(DateProblem) -> CivilDate {
    guard let century = twoDigits(), let rest = twoDigits() else { throw .notADate }
    let year = century * 100 + rest
    if skip(0x2D) {
      guard let month = twoDigits(), skip(0x2D), let day = twoDigits() else { throw .notADate }
      return try CivilDate(year: year, month: month, day: day).checked()
    }
    // `2010/7/2` is a common notation; with hyphens it would be ISO 8601, which requires two
    // digits.
    guard skip(0x2F), let month = oneOrTwoDigits(), skip(0x2F), let day = oneOrTwoDigits()
    else { throw .notADate }
    return try CivilDate(year: year, month: month, day: day).checked()
  }

  private mutating func readClock() throws(DateProblem) -> Int64 {
    guard let hour = twoDigits(), skip(0x3A), let minute = twoDigits()
    else { throw .trailing(at: position) }
    guard hour < 24 else { throw .hour(hour) }
    guard minute < 60 else { throw .minute(minute) }
    var result = Int64(hour * 3600 + minute * 60) * 1_000_000
    guard skip(0x3A) else { return result }
    guard let second = twoDigits() else { throw .trailing(at: position) }
    guard second < 60 else { throw .second(second) }
    result += Int64(second) * 1_000_000
    return result + (try readFraction())
  }

  /// Reads a fraction. Digits after the sixth are dropped.
  private mutating func readFraction() throws(DateProblem) -> Int64 {
    guard skip(0x2E) else { return 0 }
    var unit: Int64 = 100_000
    var result: Int64 = 0
    let start = position
    while let digit = nextDigit() {
      result += Int64(digit) * unit
      unit /= 10
    }
    guard position > start else { throw .trailing(at: start) }
    return result
  }

  private mutating func readOffset() throws(DateProblem) -> Int64? {
    guard position < bytes.count else { return nil }
    if bytes[position] == 0x20, position + 1 < bytes.count { position += 1 }
    if skip(0x5A) || skip(0x7A) { return 0 }
    let isNegative: Bool
    if skip(0x2B) {
      isNegative = false
    } else if skip(0x2D) {
      isNegative = true
    } else {
      throw .trailing(at: position)
    }
    guard let hour = twoDigits(), hour < 24 else { throw .offset }
    var minute = 0
    if skip(0x3A) || position < bytes.count {
      guard let value = twoDigits(), value < 60 else { throw .offset }
      minute = value
    }
    let offset = Int64(hour * 3600 + minute * 60)
    return isNegative ? -offset : offset
  }

  private mutating func twoDigits() -> Int? {
    guard position + 1 < bytes.count else { return nil }
    let (tens, ones) = (bytes[position] &- 0x30, bytes[position + 1] &- 0x30)
    guard tens < 10, ones < 10 else { return nil }
    position += 2
    return Int(tens) * 10 + Int(ones)
  }

  private mutating func oneOrTwoDigits() -> Int? { twoDigits() ?? nextDigit() }

  private mutating func nextDigit() -> Int? {
    guard position < bytes.count, bytes[position] &- 0x30 < 10 else { return nil }
    defer { position += 1 }
    return Int(bytes[position] &- 0x30)
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }
}
