import KuraJSON

/// The lines of a journal: readable JSON, and always the same bytes for the same content.
///
///     {"journal": 1, "document": "…", "size": 4096, "check": "…"}
///     {"record": 1, "length": 57, "checksum": "…", "previous": "…", "check": "…"} {"inserted": …}
///
/// `check` is the checksum of the line's bytes before `, "check"`. `checksum` is the checksum of the JSON after the
/// blank, and `length` its size in bytes. `previous` is the `check` of the line before.
enum JournalLine {
  static let version = 1
  /// The greatest length of a line's head.
  static let headLimit = 256
  /// The first bytes of the first line and of a record.
  static let starts = [#"{"journal": "#, #"{"record": "#]

  /// Bytes to append to a journal, with the offset and the check of their last line.
  struct EncodedLine {
    var bytes: [UInt8]
    /// The content after `bytes`, which is not copied if it is long.
    var content: [UInt8] = []
    /// The bytes after the content.
    var end: [UInt8] = []
    /// The offset of the last line in the bytes.
    var lastStart = 0
    var check: UInt64

    var count: Int { bytes.count + content.count + end.count }
  }

  static func first(_ document: DocumentName) -> EncodedLine {
    let (line, check) = SealedLine.seal(
      JSONNode([
        "journal": JSONNode(version), "document": JSONNode(document.hash.text),
        "size": JSONNode(document.size),
      ]))
    return EncodedLine(bytes: line + [UInt8(ascii: "\n")], check: check)
  }

  /// The greatest size in bytes of content that is copied.
  private static let mostCopied = 65_536

  static func record(_ number: Int64, _ content: [UInt8], previous: UInt64) -> EncodedLine {
    let (line, check) = SealedLine.seal(
      JSONNode([
        "record": JSONNode(number), "length": JSONNode(content.count),
        "checksum": JSONNode(UInt64(checksumOf: content).hexadecimal),
        "previous": JSONNode(previous.hexadecimal),
      ]))
    let (start, end) = (line + [UInt8(ascii: " ")], [UInt8(ascii: "\n")])
    guard content.count > mostCopied else {
      return EncodedLine(bytes: start + content + end, check: check)
    }
    return EncodedLine(bytes: start, content: content, end: end, check: check)
  }

  /// Returns `{"fold": {"document": "…", "size": 4096, "includes": 12}}`.
  static func fold(_ document: DocumentName, includes number: Int64) -> [UInt8] {
    JSONNode([
      "fold": JSONNode([
        "document": JSONNode(document.hash.text), "size": JSONNode(document.size),
        "includes": JSONNode(number),
      ])
    ]).bytes
  }
}

extension JournalLine.EncodedLine {
  /// Returns the same line after other bytes, to be written in one call.
  func after(_ bytes: [UInt8]) -> JournalLine.EncodedLine {
    var written = self
    written.bytes = bytes + self.bytes
    written.lastStart += bytes.count
    return written
  }
}

/// The head of a line, which was read and verified.
struct JournalHead {
  var members: JSONNode
  var check: UInt64
  /// The number of its bytes.
  var length: Int
}

extension JournalHead {
  /// Reads the head at the start of some bytes; nil if it is missing or damaged.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = bytes.prefix(JournalLine.headLimit)
    guard bytes.first == UInt8(ascii: "{"), let end = bytes.firstIndex(of: UInt8(ascii: "}")),
      case let head = bytes[...end], let check = SealedLine.check(of: head),
      let node = try? JSONNode(reading: Array(head))
    else { return nil }
    members = node
    self.check = check
    length = head.count
  }

  subscript(key: String) -> JSONNode? { members[key] }
}

extension DocumentName {
  /// Reads `"document": "…", "size": 4096`.
  init?(_ node: JSONNode) {
    guard let hash = node["document"]?.string.flatMap({ HashValue(text: $0) }),
      let size = node["size"]?.integer
    else { return nil }
    self.init(hash: hash, size: size)
  }
}

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
