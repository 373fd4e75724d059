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

extension JSONReader {
  /// The text of the number at the offset: `-`, digits, a fraction, an exponent.
  mutating func number() throws(JSONSyntaxError) -> String {
    let start = offset
    guard takeNumber() else { throw JSONSyntaxError(.badNumber, at: start) }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// False if what stands there is not quite a number.
  private mutating func takeNumber() -> Bool {
    skip { $0 == UInt8(ascii: "-") }
    let startsWithZero = byte == UInt8(ascii: "0")
    let digits = takeDigits()
    guard digits == 1 || (digits > 1 && !startsWithZero) else { return false }
    if skip({ $0 == UInt8(ascii: ".") }), takeDigits() == 0 { return false }
    guard skip({ $0 | 0x20 == UInt8(ascii: "e") }) else { return true }
    skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    return takeDigits() > 0
  }

  @discardableResult
  private mutating func skip(_ isWanted: (UInt8) -> Bool) -> Bool {
    guard let byte, isWanted(byte) else { return false }
    offset += 1
    return true
  }

  private mutating func takeDigits() -> Int {
    let start = offset
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    return offset - start
  }
}
