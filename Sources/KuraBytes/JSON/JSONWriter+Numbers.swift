extension JSONWriter {
  /// Appends an integer: `-9223372036854775808`.
  package static func append(_ value: Int64, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest > 0
    // A slice of the array would be copied to be turned round.
    bytes.withUnsafeMutableBufferPointer { $0[start...].reverse() }
  }

  /// Appends the shortest digits that read back as the same double, always as a double: `2.0`,
  /// `0.1`, `1e+20`; what is not finite, for which JSON has no text, becomes `null`.
  package static func append(_ value: Double, to bytes: inout [UInt8]) {
    guard value.isFinite else { return appendNull(to: &bytes) }
    bytes.append(contentsOf: value.description.utf8)
  }

  /// Appends the shortest digits that read back as the same float: `0.1`.
  package static func append(_ value: Float, to bytes: inout [UInt8]) {
    guard value.isFinite else { return appendNull(to: &bytes) }
    bytes.append(contentsOf: value.description.utf8)
  }
}
