import KuraBytes

/// Reads strict JSON (RFC 8259) into a tree, from any place in some bytes.
///
/// Linear in the bytes; recursion ends at `depthLimit`.
struct JSONReader {
  let bytes: UnsafeRawBufferPointer
  var offset: Int
  var depth = 0

  init(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
    self.bytes = bytes
    self.offset = max(0, min(offset, bytes.count))
  }
}

extension JSONNode {
  /// How many arrays and objects may be open at once.
  package static let depthLimit = 512

  /// Reads a text that is one value, with blanks around it.
  ///
  ///     try JSONNode(reading: Array("[1, 2".utf8))   // JSONSyntaxError, unexpectedEnd at 6
  package init(reading bytes: [UInt8]) throws(JSONSyntaxError) {
    let (node, end) = try JSONNode.read(bytes, from: 0)
    if let rest = bytes[end...].firstIndex(where: { !$0.isJSONBlank }) {
      throw JSONSyntaxError(.trailing, at: rest)
    }
    self = node
  }

  /// Reads one value that begins at an offset or behind blanks there, and says where it ends.
  ///
  /// What follows the value is not looked at.
  package static func read(
    _ bytes: [UInt8], from offset: Int = 0
  ) throws(JSONSyntaxError) -> (node: JSONNode, end: Int) {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONSyntaxError) in try read(buffer, from: offset) }
    }.get()
  }

  /// Reads one value from borrowed bytes; offsets and spans count from the buffer's start.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, from offset: Int = 0
  ) throws(JSONSyntaxError) -> (node: JSONNode, end: Int) {
    var reader = JSONReader(bytes, from: offset)
    let node = try reader.value()
    return (node, reader.offset)
  }
}

extension JSONReader {
  /// The byte at the offset, or nil at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func skipBlanks() {
    while offset < bytes.count, bytes[offset].isJSONBlank { offset += 1 }
  }

  func failure(_ expected: JSONSyntaxError.Expectation) -> JSONSyntaxError {
    guard let byte else {
      return JSONSyntaxError(.unexpectedEnd(expected: expected), at: offset)
    }
    return JSONSyntaxError(.unexpectedByte(byte, expected: expected), at: offset)
  }

  mutating func value() throws(JSONSyntaxError) -> JSONNode {
    skipBlanks()
    let start = offset
    // So many levels any stack has room for.
    let kind =
      depth < 8 ? try kind() : try DeepStack.run { () throws(JSONSyntaxError) in try self.kind() }
    return JSONNode(kind, span: start..<offset)
  }

  private mutating func kind() throws(JSONSyntaxError) -> JSONNode.Kind {
    guard let byte else { throw failure(.value) }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try members())
    case UInt8(ascii: "["): return .array(try elements())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw failure(.value)
    }
  }

  private mutating func word(
    _ word: StaticString, _ kind: JSONNode.Kind
  ) throws(JSONSyntaxError) -> JSONNode.Kind {
    let text = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    for expected in text {
      guard byte == expected else { throw failure(.value) }
      offset += 1
    }
    return kind
  }
}

extension UInt8 {
  /// Blank, TAB, LF, CR: all that JSON skips.
  var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension JSONReader {
  /// Goes behind the bracket at the offset, if it is not one too many.
  private mutating func open() throws(JSONSyntaxError) {
    guard depth < JSONNode.depthLimit else {
      throw JSONSyntaxError(.tooDeep(limit: JSONNode.depthLimit), at: offset)
    }
    depth += 1
    offset += 1
    skipBlanks()
  }

  /// The values between the brackets.
  mutating func elements() throws(JSONSyntaxError) -> [JSONNode] {
    try open()
    defer { depth -= 1 }
    var elements: [JSONNode] = []
    if take("]") { return elements }
    repeat {
      elements.append(try value())
    } while try goesOn(closing: "]", else: .commaOrArrayEnd)
    return elements
  }

  /// The keys and values between the braces.
  mutating func members() throws(JSONSyntaxError) -> [JSONMember] {
    try open()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    var keys = KeySet()
    if take("}") { return members }
    repeat {
      let member = try member(isFirst: members.isEmpty)
      guard keys.insert(member.key, into: members) else {
        throw JSONSyntaxError(.duplicateKey(member.key), at: member.keySpan.lowerBound)
      }
      members.append(member)
    } while try goesOn(closing: "}", else: .commaOrObjectEnd)
    return members
  }

  private mutating func member(isFirst: Bool) throws(JSONSyntaxError) -> JSONMember {
    skipBlanks()
    let start = offset
    guard byte == UInt8(ascii: "\"") else { throw failure(isFirst ? .keyOrEnd : .key) }
    let key = try string()
    let span = start..<offset
    skipBlanks()
    guard take(":") else { throw failure(.colon) }
    return JSONMember(key, keySpan: span, try value())
  }

  /// True behind a comma, false behind the closing bracket.
  private mutating func goesOn(
    closing: Unicode.Scalar, else expected: JSONSyntaxError.Expectation
  ) throws(JSONSyntaxError) -> Bool {
    skipBlanks()
    if take(",") { return true }
    if take(closing) { return false }
    throw failure(expected)
  }

  /// Goes on behind the byte if it is the one.
  private mutating func take(_ expected: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: expected) else { return false }
    offset += 1
    return true
  }
}

/// The keys of one object: a search in the members while they are few, a set of them when many.
private struct KeySet {
  private var keys: Set<[UInt8]> = []

  /// False if one of the members has the key.
  mutating func insert(_ key: String, into members: [JSONMember]) -> Bool {
    if members.count < 8 {
      return !members.contains { $0.key.utf8.elementsEqual(key.utf8) }
    }
    if keys.isEmpty { keys = Set(members.map { Array($0.key.utf8) }) }
    return keys.insert(Array(key.utf8)).inserted
  }
}
