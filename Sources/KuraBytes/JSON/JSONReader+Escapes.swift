extension JSONReader {
  /// The scalar of the escape whose backslash stands at the offset; two for a surrogate pair.
  mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = offset
    guard offset + 1 < bytes.count else { throw JSONSyntaxError(.badEscape, at: start) }
    let letter = bytes[offset + 1]
    if letter == UInt8(ascii: "u") { return try numberedScalar() }
    guard let scalar = JSONReader.escaped(letter) else {
      throw JSONSyntaxError(.badEscape, at: start)
    }
    offset += 2
    return scalar
  }

  private static func escaped(_ letter: UInt8) -> Unicode.Scalar? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }

  /// `\u8a95`, or both halves of `\ud83d\ude00`.
  private mutating func numberedScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = offset
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, byte == UInt8(ascii: "\\"), offset + 1 < bytes.count,
      bytes[offset + 1] == UInt8(ascii: "u")
    else { throw JSONSyntaxError(.loneSurrogate, at: start) }
    let second = try unit()
    let joined = 0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF)
    guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(joined) else {
      throw JSONSyntaxError(.loneSurrogate, at: start)
    }
    return scalar
  }

  /// The UTF-16 unit of the `\uHHHH` at the offset.
  private mutating func unit() throws(JSONSyntaxError) -> UInt32 {
    guard offset + 6 <= bytes.count else { throw JSONSyntaxError(.badEscape, at: offset) }
    var unit: UInt32 = 0
    for digit in bytes[offset + 2..<offset + 6] {
      guard let value = digit.hexadecimalValue else {
        throw JSONSyntaxError(.badEscape, at: offset)
      }
      unit = unit << 4 | UInt32(value)
    }
    offset += 6
    return unit
  }
}

extension UInt8 {
  /// 10 for `a` and `A`; nil for what is no hexadecimal digit.
  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
