extension UInt64 {
  /// Sixteen digits: `00000000000000ff`
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads exactly what `hexadecimal` writes.
  package init?(hexadecimal text: some StringProtocol) {
    let isPlain = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    guard text.utf8.count == 16, isPlain else { return nil }
    self.init(text, radix: 16)
  }
}

extension HashValue {
  /// Thirty-two digits.
  package var text: String { high.hexadecimal + low.hexadecimal }

  package init?(text: String) {
    guard text.utf8.count == 32, let high = UInt64(hexadecimal: text.prefix(16)),
      let low = UInt64(hexadecimal: text.suffix(16))
    else { return nil }
    self.init(high: high, low: low)
  }
}
