/// Appends JSON texts to bytes.
///
///     var bytes: [UInt8] = []
///     JSONWriter.append("誕\n生", to: &bytes)   // "誕\n生" with quotes and an escape
///     JSONWriter.append(2.0, to: &bytes)        // 2.0
package enum JSONWriter {
  /// Appends a string in quotes. Only `"`, `\` and characters below U+0020 are escaped.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &bytes) }
  }

  /// Appends a string whose bytes are valid UTF-8.
  package static func append(utf8 text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    while start < text.count {
      let end = plainEnd(text, from: start)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<end]))
      if end < text.count { appendEscape(text[end], to: &bytes) }
      start = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  package static func append(_ value: Bool, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package static func appendNull(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "null".utf8)
  }
}

extension JSONWriter {
  /// Returns the index of the next byte to escape, or the end. It tests eight bytes at a time.
  private static func plainEnd(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var i = start
    while i + 8 <= text.count,
      !hasEscape(text.loadUnaligned(fromByteOffset: i, as: UInt64.self))
    { i += 8 }
    while i < text.count, !needsEscape(text[i]) { i += 1 }
    return i
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Returns whether one of eight bytes must be escaped.
  ///
  /// Subtracting n from a byte below n borrows into its top bit; bytes whose top bit was set before
  /// never need an escape. `x ^ pattern` turns the wanted byte into zero, which is below 1.
  private static func hasEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let found =
      (word &- (ones &* 0x20)) & ~word | (quote &- ones) & ~quote
      | (backslash &- ones) & ~backslash
    return found & (ones &* 0x80) != 0
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x00..<0x20: appendUnit(byte, to: &bytes)
    default: bytes.append(byte)
    }
  }

  /// Appends the rest of an escape: `u001f`.
  private static func appendUnit(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "u00".utf8)
    for digit in [byte >> 4, byte & 0xF] {
      bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
  }

  /// Appends an integer: `-9223372036854775808`.
  package static func append(_ value: Int64, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestNumber) { room in
      guard let place = room.baseAddress else { return }
      let count = write(value, at: place)
      bytes.append(contentsOf: UnsafeBufferPointer(start: place, count: count))
    }
  }

  /// Writes an integer at an address with space for the longest number, and returns the number of
  /// bytes.
  package static func write(_ value: Int64, at place: UnsafeMutablePointer<UInt8>) -> Int {
    var rest = value.magnitude
    var count = value < 0 ? 2 : 1
    var power: UInt64 = 10
    while rest >= power {
      count += 1
      let (next, overflow) = power.multipliedReportingOverflow(by: 10)
      if overflow { break }
      power = next
    }
    var end = count
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      end -= 1
      place[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    if value < 0 { place[0] = UInt8(ascii: "-") }
    return count
  }

  /// The maximum number of bytes of a number, such as `-2.2250738585072014e-308`.
  package static let longestNumber = 32

  /// Appends the shortest digits that convert back to the same double, always in the form of a
  /// double: `2.0`, `0.1`, `1e+20`. Infinity and NaN, which JSON cannot represent, become `null`.
  package static func append(_ value: Double, to bytes: inout [UInt8]) {
    guard value.isFinite else { return appendNull(to: &bytes) }
    append(digitsOf: value, to: &bytes)
  }

  /// Appends the `description` of a double.
  ///
  /// Multiples of 0.01 are written as integers with a point: with so few digits, no shorter text
  /// converts back to the same double.
  package static func append(digitsOf value: Double, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestNumber) { room in
      guard let place = room.baseAddress else { return }
      let count = write(digitsOf: value, at: place)
      bytes.append(contentsOf: UnsafeBufferPointer(start: place, count: count))
    }
  }

  /// Writes the `description` of a double at an address with space for the longest number, and
  /// returns the number of bytes.
  package static func write(
    digitsOf value: Double, at place: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let hundredths = (value * 100).rounded()
    guard hundredths.magnitude < 1e14, hundredths / 100 == value, value != 0 else {
      return describe(value, at: place)
    }
    let number = Int64(hundredths.magnitude)
    if value < 0 { place[0] = UInt8(ascii: "-") }
    var count = value < 0 ? 1 : 0
    count += write(number / 100, at: place + count)
    let (tenths, rest) = (number % 100 / 10, number % 10)
    place[count] = UInt8(ascii: ".")
    place[count + 1] = UInt8(ascii: "0") + UInt8(tenths)
    place[count + 2] = UInt8(ascii: "0") + UInt8(rest)
    return count + (rest > 0 ? 3 : 2)
  }

  private static func describe(_ value: Double, at place: UnsafeMutablePointer<UInt8>) -> Int {
    var count = 0
    for byte in value.description.utf8 {
      place[count] = byte
      count += 1
    }
    return count
  }

  /// Appends the shortest digits that convert back to the same float: `0.1`.
  package static func append(_ value: Float, to bytes: inout [UInt8]) {
    guard value.isFinite else { return appendNull(to: &bytes) }
    bytes.append(contentsOf: value.description.utf8)
  }
}
