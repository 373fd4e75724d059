import KuraBytes
import KuraJSON

/// A JSON object on one line that ends with the checksum of the bytes before it: `{…, "check": "0123456789abcdef"}`.
enum SealedLine {
  private static let length = #", "check": "0123456789abcdef"}"#.utf8.count

  /// Returns an object with its check, and the check. `rest` are further members, as `, "key": …`.
  static func seal(_ object: JSONNode, _ rest: [UInt8] = []) -> (line: [UInt8], check: UInt64) {
    let bytes = object.bytes.dropLast() + rest
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

extension JSONNode {
  /// Creates an object; a member whose value is nil is left out.
  init(_ members: KeyValuePairs<String, JSONNode?>) {
    self.init(.object(members.compactMap { key, value in value.map { JSONMember(key, $0) } }))
  }

  init(_ text: String) { self.init(.string(text)) }

  init(_ number: some FixedWidthInteger) { self.init(.number(String(number))) }

  /// The tree as JSON on one line.
  var bytes: [UInt8] { Array(text.utf8) }
}
