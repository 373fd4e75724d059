import KuraModel
import KuraPredicates
import KuraValues

/// One end of a relationship; its name is unique in a model.
struct RelationshipEnd {
  var entity: String
  var name: String
  var destination: String
  var isToMany: Bool
  var isOrdered = false
  var inverse: String?
  var rule = DeleteRule.nullify
}

/// A random model: three trees of entities, with relationships of all kinds between them.
struct GeneratedModel {
  private(set) var ends: [RelationshipEnd] = []
  private(set) var model = Model()
  private var endsByName: [String: RelationshipEnd] = [:]
  private var endsByEntity: [String: [RelationshipEnd]] = [:]
  private var kept: Set<String> = []
  /// Keys that are unique together, each with the declaring entity.
  private(set) var unique: [(entity: String, keys: [String])] = []
  private(set) var derived: [(entity: String, name: String, text: String)] = []
  let isAbstract: Bool

  static let parents = ["A1": "A", "A2": "A1", "B1": "B"]
  static let names = ["A", "A1", "A2", "B", "B1", "C"]

  init(_ dice: inout Dice) throws {
    isAbstract = dice.chance(0.3)
    for i in 0..<(3 + dice.below(4)) { addRelationship("r\(i)", &dice) }
    endsByName = Dictionary(ends.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for name in GeneratedModel.names {
      endsByEntity[name] = ends.filter { kinds(of: name).contains($0.entity) }
    }
    addUnique(&dice)
    addDerived(&dice)
    model = Model(entities: try GeneratedModel.names.map { try entity($0) })
    for end in ends where model.writtenSide(of: end.name, in: end.entity) != .there {
      kept.insert(end.name)
    }
  }
}

extension GeneratedModel {
  var concrete: [String] { GeneratedModel.names.filter { !isAbstract || $0 != "A" } }
  func kinds(of entity: String) -> [String] {
    switch entity {
    case "A1": ["A1", "A"]
    case "A2": ["A2", "A1", "A"]
    case "B1": ["B1", "B"]
    default: [entity]
    }
  }
  func root(of entity: String) -> String { String(entity.prefix(1)) }
  func ends(of entity: String) -> [RelationshipEnd] { endsByEntity[entity] ?? [] }
  func end(_ name: String) -> RelationshipEnd {
    endsByName[name] ?? RelationshipEnd(entity: "", name: "", destination: "", isToMany: false)
  }
  /// Returns whether a document writes this end.
  func isKept(_ name: String) -> Bool { kept.contains(name) }
}

extension GeneratedModel {
  private mutating func addRelationship(_ name: String, _ dice: inout Dice) {
    let here = dice.pick(GeneratedModel.names)
    let kind = dice.below(8)
    let there = kind < 5 ? dice.pick(GeneratedModel.names) : here
    func end(_ suffix: String, _ from: String, _ to: String, many: Bool, inverse: String?)
      -> RelationshipEnd
    {
      RelationshipEnd(
        entity: from, name: name + suffix, destination: to, isToMany: many,
        isOrdered: many && dice.chance(0.4), inverse: inverse.map { name + $0 },
        rule: dice.pick([.nullify, .nullify, .nullify, .cascade, .deny, .none]))
    }
    switch kind {
    case 0...3, 5:
      // One to one, one to many, many to many; parent and children.
      ends.append(end("a", here, there, many: kind == 2 || kind == 3, inverse: "b"))
      ends.append(end("b", there, here, many: kind != 0, inverse: "a"))
    case 4: ends.append(end("a", here, there, many: dice.chance(0.5), inverse: nil))
    default: ends.append(end("a", here, here, many: kind == 6, inverse: "a"))
    }
  }

  private mutating func addUnique(_ dice: inout Dice) {
    for root in ["A", "B"] where dice.chance(0.6) {
      unique.append((root, [dice.pick(["s", "n"])]))
    }
    if let end = ends.first(where: { !$0.isToMany }) {
      unique.append((end.entity, ["n", end.name]))
    }
  }

  private mutating func addDerived(_ dice: inout Dice) {
    guard dice.chance(0.35) else { return }
    for end in ends where dice.chance(0.6) {
      let text = end.isToMany ? dice.pick(["@count", "@sum.n"]) : "n"
      derived.append((end.entity, "d" + end.name, "\(end.name).\(text)"))
    }
    for (entity, name, _) in derived where dice.chance(0.5) {
      derived.append((entity, "e" + name, "\(name) + 1"))
      if let end = ends.first(where: { kinds(of: $0.destination).contains(entity) }) {
        let text = "\(end.name).\(end.isToMany ? "@sum." : "")\(name)"
        derived.append((end.entity, "f\(derived.count)", text))
      }
    }
  }

  private func entity(_ name: String) throws -> Entity {
    var attributes: [Attribute] = []
    if GeneratedModel.parents[name] == nil {
      attributes = [
        Attribute(name: "n", type: .integer, isOptional: true, defaultValue: name == "B" ? 7 : nil),
        Attribute(name: "s", type: .string, defaultValue: "t0"),
      ]
    } else {
      attributes = [Attribute(name: "x" + name, type: .integer, isOptional: true)]
    }
    for rule in derived where rule.entity == name {
      attributes.append(
        Attribute(
          name: rule.name, type: .integer, isOptional: true,
          derivation: try ExpressionTree(parsing: rule.text)))
    }
    let relationships = ends.filter { $0.entity == name }.map {
      Relationship(
        name: $0.name, destination: $0.destination, isToMany: $0.isToMany,
        isOrdered: $0.isOrdered, inverse: $0.inverse, deleteRule: $0.rule)
    }
    return Entity(
      name: name, parent: GeneratedModel.parents[name], isAbstract: name == "A" && isAbstract,
      attributes: attributes, relationships: relationships,
      uniquenessConstraints: unique.filter { $0.entity == name }.map(\.keys))
  }
}
