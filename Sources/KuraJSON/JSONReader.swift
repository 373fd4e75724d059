import KuraBytes

/// Parses strict JSON (RFC 8259) to a tree, from any offset.
///
/// Linear in the bytes; the depth is limited by `depthLimit`.
struct JSONReader {
  let bytes: UnsafeRawBufferPointer
  var offset: Int
  var depth = 0
  /// Whether the last value of a repeated key is used; otherwise a repeated key is an error.
  var keepsLast = false
  /// The first repeated key of an object.
  private(set) var repeatedKey: String?

  init(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
    self.bytes = bytes
    self.offset = max(0, min(offset, bytes.count))
  }
}

extension JSONNode {
  /// The maximum number of open arrays and objects.
  package static let depthLimit = 512

  /// Parses a text that consists of one value, with optional blanks around it.
  ///
  ///     try JSONNode(reading: Array("[1, 2".utf8))   // JSONSyntaxError, unexpectedEnd at 6
  package init(reading bytes: [UInt8]) throws(JSONSyntaxError) {
    let (node, end) = try JSONNode.read(bytes, from: 0)
    if let rest = bytes[end...].firstIndex(where: { !$0.isJSONBlank }) {
      throw JSONSyntaxError(.trailing, at: rest)
    }
    self = node
  }

  /// Parses a text whose objects may repeat keys; the last value is used. Also returns the first
  /// repeated key.
  ///
  ///     try JSONNode.keepingLast(Array(#"{"a": 1, "a": 2}"#.utf8))   // {"a": 2}, "a"
  package static func keepingLast(
    _ bytes: [UInt8]
  ) throws(JSONSyntaxError) -> (node: JSONNode, repeated: String?) {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONSyntaxError) in
        var reader = JSONReader(buffer, from: 0)
        reader.keepsLast = true
        return (try reader.value(), reader.repeatedKey)
      }
    }.get()
  }

  /// Parses one value at an offset, after optional blanks, and returns its end.
  ///
  /// The bytes after the value are ignored.
  package static func read(
    _ bytes: [UInt8], from offset: Int = 0
  ) throws(JSONSyntaxError) -> (node: JSONNode, end: Int) {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONSyntaxError) in try read(buffer, from: offset) }
    }.get()
  }

  /// Parses one value from borrowed bytes; offsets and spans are relative to the buffer.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, from offset: Int = 0
  ) throws(JSONSyntaxError) -> (node: JSONNode, end: Int) {
    var reader = JSONReader(bytes, from: offset)
    let node = try reader.value()
    return (node, reader.offset)
  }
}

extension JSONReader {
  /// The byte at the offset; nil at the end.
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
    // Any stack has room for this many levels.
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
  /// Whether it is a blank in JSON: space, TAB, LF or CR.
  var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

extension JSONReader {
  /// Moves past the bracket at the offset; throws if it exceeds the limit.
  private mutating func open() throws(JSONSyntaxError) {
    guard depth < JSONNode.depthLimit else {
      throw JSONSyntaxError(.tooDeep(limit: JSONNode.depthLimit), at: offset)
    }
    depth += 1
    offset += 1
    skipBlanks()
  }

  /// Parses the values between the brackets.
  mutating func elements() throws(JSONSyntaxError) -> [JSONNode] {
    try open()
    defer { depth -= 1 }
    var elements: [JSONNode] = []
    if take("]") { return elements }
    repeat {
      elements.append(try value())
    } while try continues(closing: "]", else: .commaOrArrayEnd)
    return elements
  }

  /// Parses the keys and values between the braces.
  mutating func members() throws(JSONSyntaxError) -> [JSONMember] {
    try open()
    defer { depth -= 1 }
    var members: [JSONMember] = []
    var keys = KeySet()
    if take("}") { return members }
    repeat {
      let member = try member(isFirst: members.isEmpty)
      if keys.insert(member.key, into: members) {
        members.append(member)
        continue
      }
      guard keepsLast else {
        throw JSONSyntaxError(.duplicateKey(member.key), at: member.keySpan.lowerBound)
      }
      repeatedKey = repeatedKey ?? member.key
      if let old = members.firstIndex(where: { $0.key.utf8.elementsEqual(member.key.utf8) }) {
        members[old] = member
      }
    } while try continues(closing: "}", else: .commaOrObjectEnd)
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

  /// Returns true after a comma, and false after the closing bracket.
  private mutating func continues(
    closing: Unicode.Scalar, else expected: JSONSyntaxError.Expectation
  ) throws(JSONSyntaxError) -> Bool {
    skipBlanks()
    if take(",") { return true }
    if take(closing) { return false }
    throw failure(expected)
  }

  /// Moves past a byte if it is the expected one.
  private mutating func take(_ expected: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: expected) else { return false }
    offset += 1
    return true
  }
}

/// The keys of one object: a linear search for few members, a set for many.
private struct KeySet {
  private var keys: Set<[UInt8]> = []

  /// Adds a key; returns false if one of the members has it.
  mutating func insert(_ key: String, into members: [JSONMember]) -> Bool {
    if members.count < 8 {
      return !members.contains { $0.key.utf8.elementsEqual(key.utf8) }
    }
    if keys.isEmpty { keys = Set(members.map { Array($0.key.utf8) }) }
    return keys.insert(Array(key.utf8)).inserted
  }
}

extension JSONReader {
  /// Parses the string whose quote is at the offset.
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

  /// Parses the rest of a string from its first backslash.
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

  /// Moves to the next quote or backslash; throws unless the bytes in between are valid UTF-8.
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

  /// Returns the length of the scalar at the offset, which is not ASCII; nil if it is invalid.
  ///
  /// The range of the second byte excludes overlong forms, surrogates and scalars beyond U+10FFFF
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

  /// Parses the escape whose backslash is at the offset, or two for a surrogate pair.
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

  /// Parses `\u8a95`, or both halves of `\ud83d\ude00`.
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

  /// Parses the UTF-16 unit of the `\uHHHH` at the offset.
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
  /// The value of a hexadecimal digit: 10 for `a` and `A`; nil for other bytes.
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
  /// Parses the number at the offset: `-`, digits, a fraction, an exponent.
  mutating func number() throws(JSONSyntaxError) -> String {
    let start = offset
    guard takeNumber() else { throw JSONSyntaxError(.badNumber, at: start) }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Moves past a number; returns false if it is malformed.
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

/// The reason why bytes are not JSON, and the place.
package struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The offset of the wrong byte; the number of bytes if the text ends too early.
  package var offset: Int
  package var kind: Kind

  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  package enum Kind: Sendable, Hashable {
    /// `[1,`
    case unexpectedEnd(expected: Expectation)
    /// `[1 2]`
    case unexpectedByte(UInt8, expected: Expectation)
    /// `"x`: the place is the opening quote
    case unclosedString
    /// A line break or another byte below 0x20 in a string.
    case controlCharacter(UInt8)
    /// The byte FF in a string.
    case invalidUTF8
    /// `"\q"`, `"\u12"`: the place is the backslash
    case badEscape
    /// `"\ud83d"`: the place is the backslash
    case loneSurrogate
    /// `01`, `1.`, `-`: the place is the number's first byte
    case badNumber
    /// `1e999`: beyond the range of a double; the place is the number's first byte
    case numberTooLarge
    /// An integer of more than 38 digits, which no type represents; the place is its first byte
    case tooManyDigits
    /// `{"a": 1, "a": 2}`: the place is the second key
    case duplicateKey(String)
    /// More different keys than allowed
    case tooManyKeys(Int)
    /// More than 512 open brackets: the place is the first bracket beyond the limit
    case tooDeep(limit: Int)
    /// `1 2`: text after the value
    case trailing
  }

  /// The syntax that was expected.
  package enum Expectation: Sendable, Hashable {
    /// `null`, `true`, `3`, `"x"`, `[`, `{`
    case value
    /// `"title"` in an object
    case key
    /// `"title"` or `}` after a `{`
    case keyOrEnd
    /// `:` after a key
    case colon
    /// `,` or `]`
    case commaOrArrayEnd
    /// `,` or `}`
    case commaOrObjectEnd
  }
}
