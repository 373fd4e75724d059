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
