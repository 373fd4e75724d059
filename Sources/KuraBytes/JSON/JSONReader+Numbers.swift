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
