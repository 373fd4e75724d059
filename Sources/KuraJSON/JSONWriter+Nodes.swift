package import KuraBytes

extension JSONWriter {
  /// Appends a tree on one line in readable form: `{"a": [1, 2.50], "b": null}`.
  ///
  /// Numbers keep their digits, and objects the order of their keys.
  package static func append(_ node: JSONNode, to bytes: inout [UInt8]) {
    switch node.kind {
    case .null: appendNull(to: &bytes)
    case .boolean(let value): append(value, to: &bytes)
    case .number(let digits): bytes.append(contentsOf: digits.utf8)
    case .string(let text): append(text, to: &bytes)
    case .array(let elements): append(elements, to: &bytes)
    case .object(let members): append(members, to: &bytes)
    }
  }

  private static func append(_ elements: [JSONNode], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (i, element) in elements.enumerated() {
      if i > 0 { bytes.append(contentsOf: ", ".utf8) }
      DeepStack.run { append(element, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func append(_ members: [JSONMember], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (i, member) in members.enumerated() {
      if i > 0 { bytes.append(contentsOf: ", ".utf8) }
      append(member.key, to: &bytes)
      bytes.append(contentsOf: ": ".utf8)
      DeepStack.run { append(member.value, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension JSONNode {
  /// The tree as JSON on one line.
  package var text: String {
    var bytes: [UInt8] = []
    JSONWriter.append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
