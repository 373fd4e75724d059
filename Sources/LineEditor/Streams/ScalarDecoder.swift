/// Scalars out of bytes that come one at a time.
struct ScalarDecoder {
  private var bytes: [UInt8] = []

  /// The scalar that a byte completes, if it does; U+FFFD for what is not UTF-8.
  ///
  /// A sequence that is broken off is dropped, so that the key that follows still counts.
  mutating func feed(_ byte: UInt8) -> Unicode.Scalar? {
    if byte & 0xC0 != 0x80 { bytes = [] }
    bytes.append(byte)
    guard bytes.count >= expectedLength else { return nil }
    defer { bytes = [] }
    return String(validating: bytes, as: UTF8.self)?.unicodeScalars.first ?? "\u{FFFD}"
  }

  private var expectedLength: Int {
    switch bytes.first ?? 0 {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
