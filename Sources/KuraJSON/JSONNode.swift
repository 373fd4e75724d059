package import KuraBytes

/// A JSON value as a tree, for small documents. Each node has its place in the bytes.
///
///     try JSONNode(reading: Array(#"{"min": 0}"#.utf8))["min"]?.kind   // .number("0")
package struct JSONNode: Sendable {
  /// The kind of the value.
  package var kind: Kind
  /// The range of its bytes.
  package var span: Range<Int>

  package init(_ kind: Kind, span: Range<Int> = 0..<0) {
    self.kind = kind
    self.span = span
  }

  package enum Kind: Sendable {
    /// `null`
    case null
    /// `true`
    case boolean(Bool)
    /// `-2.50`: the text as written, so that no digit is lost
    case number(String)
    /// `"誕生"`
    case string(String)
    /// `[1, 2]`
    case array([JSONNode])
    /// `{"title": "x"}`, in the order of the text
    case object([JSONMember])
  }
}

/// `"title": "x"` in an object.
package struct JSONMember: Sendable {
  package var key: String
  /// The span of the key, including its quotes.
  package var keySpan: Range<Int>
  package var value: JSONNode

  package init(_ key: String, keySpan: Range<Int> = 0..<0, _ value: JSONNode) {
    self.key = key
    self.keySpan = keySpan
    self.value = value
  }
}

extension JSONNode {
  /// The value of a key of an object; nil if there is none. Keys are compared by bytes.
  ///
  /// Linear in the number of keys.
  package subscript(key: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// The value of an integer that fits into 64 bits.
  package var integer: Int64? {
    guard case .number(let digits) = kind else { return nil }
    return Int64(digits)
  }

  /// The characters of a string.
  package var string: String? {
    guard case .string(let text) = kind else { return nil }
    return text
  }
}

extension JSONNode: Hashable {
  /// Returns whether both are equal, without regard to spans.
  package static func == (a: JSONNode, b: JSONNode) -> Bool { a.kind == b.kind }

  package func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension JSONNode.Kind: Hashable {
  /// Returns whether both are equal as texts: the same digits, the same scalars, the same keys in
  /// the same order.
  package static func == (a: JSONNode.Kind, b: JSONNode.Kind) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.boolean(let x), .boolean(let y)): x == y
    case (.number(let x), .number(let y)): x == y
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.array(let x), .array(let y)): x == y
    case (.object(let x), .object(let y)): x == y
    case (.null, _), (.boolean, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let x): hasher.combine(x)
    case .number(let x), .string(let x): for byte in x.utf8 { hasher.combine(byte) }
    case .array(let x): hasher.combine(x)
    case .object(let x): hasher.combine(x)
    }
  }
}

extension JSONMember: Hashable {
  /// Returns whether keys and values are equal.
  package static func == (a: JSONMember, b: JSONMember) -> Bool {
    a.key.utf8.elementsEqual(b.key.utf8) && a.value == b.value
  }

  package func hash(into hasher: inout Hasher) {
    for byte in key.utf8 { hasher.combine(byte) }
    hasher.combine(value)
  }
}

extension JSONNode {
  /// Returns the offset of a byte of a string's text in the bytes that the string was read from.
  ///
  /// In `"a\n\u8a95b"`, the byte 5 of the text, the `b`, is at offset 10. An index inside an escape
  /// gives the backslash; an index after the text gives the closing quote. Linear in the string;
  /// nil if the node is not a string of these bytes.
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
    var after = 0
    while offset < end {
      let start = offset
      after += textLength()
      if after > index { return start }
    }
    return end
  }

  /// Skips a byte or escape, and returns its length in the text.
  private mutating func textLength() -> Int {
    if byte == UInt8(ascii: "\\"), let scalar = try? escape() {
      return UTF8.width(scalar)
    }
    offset += 1
    return 1
  }
}

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
