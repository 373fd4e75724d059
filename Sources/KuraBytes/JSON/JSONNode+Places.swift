extension JSONNode {
  /// Where a byte of a string's text stands in the bytes that the string was read from.
  ///
  /// In `"a\n\u8a95b"` the texts's byte 5, the `b`, stands at 10. A place inside an escape is the
  /// backslash; a place behind the text is the closing quote. Linear in the string; nil if the
  /// node is no string of these bytes.
  package func place(ofTextByte index: Int, in bytes: [UInt8]) -> Int? {
    guard case .string = kind, span.count >= 2, span.upperBound <= bytes.count else { return nil }
    return bytes.withUnsafeBytes { buffer in
      var reader = JSONReader(buffer, from: span.lowerBound + 1)
      return reader.place(ofTextByte: index, before: span.upperBound - 1)
    }
  }
}

extension JSONReader {
  fileprivate mutating func place(ofTextByte index: Int, before end: Int) -> Int {
    var behind = 0
    while offset < end {
      let start = offset
      behind += textLength()
      if behind > index { return start }
    }
    return end
  }

  /// Steps over one byte or escape, and says how many bytes of text it is.
  private mutating func textLength() -> Int {
    if byte == UInt8(ascii: "\\"), let scalar = try? escape() {
      return UTF8.width(scalar)
    }
    offset += 1
    return 1
  }
}
