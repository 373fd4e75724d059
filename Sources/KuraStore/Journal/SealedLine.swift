import KuraBytes

/// A JSON object on one line that ends with the checksum of the bytes before it: `{…, "check": "0123456789abcdef"}`.
enum SealedLine {
  private static let length = #", "check": "0123456789abcdef"}"#.utf8.count

  /// Returns an object without its closing brace with the check, and the check.
  static func seal(_ bytes: [UInt8]) -> (line: [UInt8], check: UInt64) {
    let check = UInt64(checksumOf: bytes)
    return (bytes + end(check).utf8, check)
  }

  /// Returns the check of a line, or nil if it does not match the bytes.
  static func check(of line: ArraySlice<UInt8>) -> UInt64? {
    guard line.count > length else { return nil }
    let check = UInt64(checksumOf: line.dropLast(length))
    return line.suffix(length).elementsEqual(end(check).utf8) ? check : nil
  }

  private static func end(_ check: UInt64) -> String { #", "check": "\#(check.hexadecimal)"}"# }
}
