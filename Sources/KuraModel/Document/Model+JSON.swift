import KuraBytes
import KuraJSON
import KuraPredicates
package import KuraValues

extension Model {
  /// Appends the model in document form, with one line per attribute, so that a small change affects few lines.
  ///
  /// Keys have a fixed order and defaults are omitted, so that equal models have equal bytes. All lines except the
  /// first are indented by at least `indentation`. Dates are written in the document's time zone.
  ///
  ///     {
  ///       "entities": {
  ///         "Item": {
  ///           "attributes": {
  ///             "title": {"type": "string", "min": 1}
  ///           }
  ///         }
  ///       }
  ///     }
  package func appendJSON(to bytes: inout [UInt8], in zone: ZoneRules, indentation: Int = 0) {
    var writer = BlockWriter(bytes: bytes, level: indentation)
    bytes = []
    writer.append(tree(in: zone))
    bytes = writer.bytes
  }

  /// Returns the model as JSON, with a final line break.
  package func json(in zone: ZoneRules) -> String {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes, in: zone)
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  private func tree(in zone: ZoneRules) -> Block {
    var members = [("entities", Block.members(entities.map { ($0.name, $0.tree(in: zone)) }))]
    if !requests.isEmpty {
      let texts = requests.map { ($0.name, Block.line(JSONNode(.string($0.text)))) }
      members.append(("requests", .members(texts)))
    }
    if let userInfo = JSONNode(userInfo: userInfo) { members.append(("userInfo", .line(userInfo))) }
    return .members(members)
  }
}

extension Entity {
  fileprivate func tree(in zone: ZoneRules) -> Block {
    .members(EntityKey.allCases.compactMap { key in block(key, zone).map { (key.rawValue, $0) } })
  }

  private func block(_ key: EntityKey, _ zone: ZoneRules) -> Block? {
    switch key {
    case .parent: parent.map { .line(JSONNode(.string($0))) }
    case .abstract: isAbstract ? .line(JSONNode(.boolean(true))) : nil
    case .attributes: Block(attributes.map { ($0.name, $0.node(in: zone)) })
    case .relationships: Block(relationships.map { ($0.name, $0.node) })
    case .unique: uniqueNode.map(Block.line)
    case .indexes: indexesNode.map(Block.line)
    case .userInfo: JSONNode(userInfo: userInfo).map(Block.line)
    }
  }

  private var uniqueNode: JSONNode? {
    if uniquenessConstraints.isEmpty { return nil }
    return JSONNode(
      .array(
        uniquenessConstraints.map { keys in
          JSONNode(.array(keys.map { JSONNode(.string($0)) }))
        }))
  }

  private var indexesNode: JSONNode? {
    if indexes.isEmpty { return nil }
    return JSONNode(.array(indexes.map { JSONNode(.array($0.elements.map(\.node))) }))
  }
}

extension FetchIndex.Element {
  /// The element as `"date"` or `{"desc": "date"}`.
  fileprivate var node: JSONNode {
    let name = JSONNode(.string(key))
    return isAscending ? name : JSONNode(.object([JSONMember(IndexKey.desc.rawValue, name)]))
  }
}

extension Attribute {
  /// Returns the attribute such as `{"type": "date", "optional": true}`.
  fileprivate func node(in zone: ZoneRules) -> JSONNode {
    JSONNode(
      .object(
        AttributeKey.allCases.compactMap { key in
          node(key, zone).map { JSONMember(key.rawValue, $0) }
        }))
  }

  private func node(_ key: AttributeKey, _ zone: ZoneRules) -> JSONNode? {
    switch key {
    case .type: JSONNode(.string(type.rawValue))
    case .optional: JSONNode(unless: !isOptional)
    case .defaultValue: defaultValue.map { type.node($0, in: zone) }
    case .defaultExpression: defaultExpression.map { JSONNode(.string($0.expressionFormat)) }
    case .min: minimum.map { type.boundType.node($0, in: zone) }
    case .max: maximum.map { type.boundType.node($0, in: zone) }
    case .matches: pattern.map { JSONNode(.string($0)) }
    case .check: check.map { JSONNode(.string($0.predicateFormat)) }
    case .derived: derivation.map { JSONNode(.string($0.expressionFormat)) }
    case .transient: JSONNode(unless: !isTransient)
    case .userInfo: JSONNode(userInfo: userInfo)
    }
  }
}

extension Relationship {
  /// The relationship such as `{"destination": "Item", "toMany": true, "inverse": "parentCategory"}`.
  fileprivate var node: JSONNode {
    JSONNode(
      .object(
        RelationshipKey.allCases.compactMap { key in
          node(key).map { JSONMember(key.rawValue, $0) }
        }))
  }

  private func node(_ key: RelationshipKey) -> JSONNode? {
    switch key {
    case .destination: JSONNode(.string(destination))
    case .toMany: JSONNode(unless: !isToMany)
    case .optional: isOptional ? nil : JSONNode(.boolean(false))
    case .ordered: JSONNode(unless: !isOrdered)
    case .inverse: inverse.map { JSONNode(.string($0)) }
    case .deleteRule: deleteRule == .nullify ? nil : JSONNode(.string(deleteRule.rawValue))
    case .minCount: minimumCount.map { JSONNode(.number("\($0)")) }
    case .maxCount: maximumCount.map { JSONNode(.number("\($0)")) }
    case .userInfo: JSONNode(userInfo: userInfo)
    }
  }
}

extension JSONNode {
  /// Creates `true`; nil if it is the default.
  fileprivate init?(unless isDefault: Bool) {
    if isDefault { return nil }
    self.init(.boolean(true))
  }

  /// Creates an object from the text of a user info; nil if it is not an object.
  fileprivate init?(userInfo text: String?) {
    guard let text, let node = try? JSONNode(reading: Array(text.utf8)),
      case .object = node.kind
    else { return nil }
    self = node
  }
}

/// JSON with explicit line breaks.
indirect enum Block {
  case line(JSONNode)
  /// An object with one or more lines per member.
  case members([(String, Block)])

  /// Creates an object with one line per value; nil if it has none.
  init?(_ members: [(String, JSONNode)]) {
    if members.isEmpty { return nil }
    self = .members(members.map { ($0, .line($1)) })
  }
}

/// Writes blocks, indented by two spaces per level.
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
