import KuraBytes

/// JSON with a say in where lines break.
indirect enum Block {
  /// A value on one line.
  case line(JSONNode)
  /// An object with a line, or lines, for each member.
  case members([(String, Block)])

  /// Values by name, one a line; nothing where there are none.
  init?(_ members: [(String, JSONNode)]) {
    if members.isEmpty { return nil }
    self = .members(members.map { ($0, .line($1)) })
  }
}

/// Writes blocks, two spaces deeper for each level.
struct BlockWriter {
  var bytes: [UInt8]
  var level: Int

  mutating func append(_ block: Block) {
    switch block {
    case .line(let node): JSONWriter.append(node, to: &bytes)
    case .members(let members): append(members)
    }
  }

  private mutating func append(_ members: [(String, Block)]) {
    if members.isEmpty { return bytes.append(contentsOf: "{}".utf8) }
    bytes.append(UInt8(ascii: "{"))
    level += 2
    for (i, (key, block)) in members.enumerated() {
      breakLine(after: i == 0 ? "" : ",")
      JSONWriter.append(key, to: &bytes)
      bytes.append(contentsOf: ": ".utf8)
      append(block)
    }
    level -= 2
    breakLine(after: "")
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func breakLine(after text: String) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level))
  }
}
