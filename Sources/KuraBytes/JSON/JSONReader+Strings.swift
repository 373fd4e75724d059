extension JSONReader {
  /// The text of the string whose quote stands at the offset.
  mutating func string() throws(JSONSyntaxError) -> String {
    let quote = offset
    offset += 1
    let start = offset
    try skipPlain(from: quote)
    if bytes[offset] == UInt8(ascii: "\"") {
      offset += 1
      return String(decoding: bytes[start..<offset - 1], as: UTF8.self)
    }
    return try escapedString(from: start, quote: quote)
  }

  /// The rest of a string in which a backslash was found.
  private mutating func escapedString(
    from start: Int, quote: Int
  ) throws(JSONSyntaxError) -> String {
    var text = Array(bytes[start..<offset])
    while bytes[offset] == UInt8(ascii: "\\") {
      UTF8.encode(try escape()).map { text.append(contentsOf: $0) }
      let run = offset
      try skipPlain(from: quote)
      text.append(contentsOf: bytes[run..<offset])
    }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Goes to the next quote or backslash; what lies between is valid UTF-8.
  private mutating func skipPlain(from quote: Int) throws(JSONSyntaxError) {
    while let byte {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return
      case 0x00..<0x20: throw JSONSyntaxError(.controlCharacter(byte), at: offset)
      case 0x20..<0x80: offset += 1
      default:
        guard let length = scalarLength() else { throw JSONSyntaxError(.invalidUTF8, at: offset) }
        offset += length
      }
    }
    throw JSONSyntaxError(.unclosedString, at: quote)
  }

  /// The bytes of the scalar at the offset, which is not ASCII; nil if they are no scalar.
  ///
  /// The second byte's range keeps out overlong forms, surrogates and what is beyond U+10FFFF
  /// (The Unicode Standard, table 3-7).
  private func scalarLength() -> Int? {
    switch bytes[offset] {
    case 0xC2...0xDF: follows(0x80...0xBF, length: 2)
    case 0xE0: follows(0xA0...0xBF, length: 3)
    case 0xED: follows(0x80...0x9F, length: 3)
    case 0xE1...0xEF: follows(0x80...0xBF, length: 3)
    case 0xF0: follows(0x90...0xBF, length: 4)
    case 0xF1...0xF3: follows(0x80...0xBF, length: 4)
    case 0xF4: follows(0x80...0x8F, length: 4)
    default: nil
    }
  }

  private func follows(_ second: ClosedRange<UInt8>, length: Int) -> Int? {
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return nil }
    let rest = bytes[offset + 2..<offset + length]
    return rest.allSatisfy { $0 & 0xC0 == 0x80 } ? length : nil
  }
}
