/// Converts UTF-8 to UTF-16 without creating a string.
enum UTF16Units {
  /// Writes valid UTF-8 as UTF-16, and returns the number of units. The output needs as many units
  /// as there are bytes.
  static func write(
    _ utf8: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt16>
  ) -> Int {
    var count = 0
    var i = 0
    while i < utf8.count {
      let byte = utf8[i]
      if byte < 0x80 {
        output[count] = UInt16(byte)
        count += 1
        i += 1
      } else if byte < 0xF0 {
        let scalar = UTF8Scalar.read(utf8, at: i)
        output[count] = UInt16(truncatingIfNeeded: scalar.value)
        count += 1
        i += scalar.length
      } else {
        count = writePair(utf8, at: i, to: output, count)
        i += 4
      }
    }
    return count
  }

  private static func writePair(
    _ utf8: UnsafeBufferPointer<UInt8>, at i: Int,
    to output: UnsafeMutableBufferPointer<UInt16>, _ count: Int
  ) -> Int {
    guard i + 3 < utf8.count else { return count }
    let scalar = (1..<4).reduce(UInt32(utf8[i] & 0x07)) { $0 << 6 | UInt32(utf8[i + $1] & 0x3F) }
    let rest = scalar &- 0x10000
    output[count] = UInt16(truncatingIfNeeded: 0xD800 | (rest >> 10 & 0x3FF))
    output[count + 1] = UInt16(truncatingIfNeeded: 0xDC00 | rest & 0x3FF)
    return count + 2
  }
}
