import KuraGraph
import KuraModel
import KuraValues
import TestSupport

// Objects
extension AlterationWalk {
  /// Defines two root entities with subentities, and relationships between them.
  mutating func begin() throws {
    try run("entity Aa { t: string? }")
    try run("entity Bb: Aa { p: integer? }")
    try run("entity Cc: Aa { q: string? }")
    try run("entity Dd { t: string? }")
    try run("entity Ee: Dd { r: double? }")
    for _ in 0..<4 { try addProperty() }
  }

  mutating func insert() throws {
    guard let entity = numbers.pick(model.entities).nameIfConcrete else { return }
    let attributes = model.allAttributes(of: entity).filter { $0.type == .string }
    let values = attributes.map { "\($0.name) = \"\(numbers.below(60))\"" }
    try run("insert \(entity) " + (values.isEmpty ? "{}" : values.joined(separator: ", ")))
  }

  mutating func link() throws {
    guard let (owner, relationship) = anyRelationship(),
      let object = anyObject(of: owner)
    else { return }
    let known = sitting.graph.objectIDs(of: relationship.destination)
    let chosen = known.filter { _ in numbers.flip() }.prefix(relationship.isToMany ? 3 : 1)
    let list = chosen.map(\.description).joined(separator: ", ")
    let value = relationship.isToMany ? "{\(list)}" : chosen.isEmpty ? "NULL" : list
    try run("update \(object) set \(relationship.name) = \(value)")
  }

  mutating func delete() throws {
    guard let object = anyObject(of: numbers.pick(model.entities).name) else { return }
    try run("delete \(object)")
  }

  mutating func anyObject(of entity: String) -> ObjectID? {
    let known = sitting.graph.objectIDs(of: entity)
    return known.isEmpty ? nil : numbers.pick(known)
  }

  private mutating func anyRelationship() -> (owner: String, Relationship)? {
    let all = model.entities.flatMap { entity in entity.relationships.map { (entity.name, $0) } }
    return all.isEmpty ? nil : numbers.pick(all)
  }

  /// Returns an unused name, or one that another entity may have.
  mutating func newName() -> String {
    names += 1
    return numbers.flip() ? "k\(names)" : "n\(numbers.below(4))"
  }
}

// The model
extension AlterationWalk {
  mutating func rename() throws {
    let entity = numbers.pick(model.entities)
    if numbers.oneIn(4) {
      names += 1
      try keeping("alter entity \(entity.name) rename to E\(names)")
    } else if let key = anyKey(of: entity) {
      let new = newName()
      let name = RenamedKey(entity: entity.name, old: key, new: new)
      try keeping("alter entity \(entity.name) rename \(key) to \(new)", renaming: name)
    }
  }

  mutating func drop() throws {
    let entity = numbers.pick(model.entities)
    guard let key = anyKey(of: entity) else { return }
    let inverse = model.inverse(of: key, in: entity.name)?.relationship.name
    try keeping("alter entity \(entity.name) drop \(key)", but: [key, inverse ?? key])
  }

  private mutating func anyKey(of entity: Entity) -> String? {
    let keys = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    return keys.isEmpty ? nil : numbers.pick(keys)
  }

  mutating func addProperty() throws {
    let entity = numbers.pick(model.entities).name
    let key = newName()
    let isRelationship = !numbers.oneIn(4)
    let declaration = isRelationship ? relationship(key, of: entity) : attribute(key)
    try keeping("alter entity \(entity) add \(declaration)", but: [key])
  }

  /// Gives an attribute another type, or a relationship another destination, count, order or
  /// inverse.
  mutating func changeProperty() throws {
    let owners = model.entities.filter { !$0.relationships.isEmpty || !$0.attributes.isEmpty }
    guard !owners.isEmpty else { return }
    let entity = numbers.pick(owners)
    guard !entity.relationships.isEmpty, !numbers.oneIn(5) else {
      guard !entity.attributes.isEmpty else { return }
      let key = numbers.pick(entity.attributes).name
      try keeping("alter entity \(entity.name) change \(attribute(key))", but: [key])
      return
    }
    let key = numbers.pick(entity.relationships).name
    let links = GraphSnapshot(sitting.graph).pairs(key, of: entity.name)
    let declaration = relationship(key, of: entity.name)
    let isDone = try keeping("alter entity \(entity.name) change \(declaration)", but: [key])
    guard isDone else { return }
    let kept = GraphSnapshot(sitting.graph).pairs(key, of: entity.name)
    try hold(links.isSubset(of: kept), finding("lost links: \(links.subtracting(kept))"))
  }

  private mutating func attribute(_ key: String) -> String {
    "\(key): \(numbers.pick(["string", "integer", "double", "json", "decimal"]))?"
      + (numbers.oneIn(4) ? " = \"7\"" : "")
  }

  /// Returns a relationship with any inverse: a key of the destination, itself, or none.
  private mutating func relationship(_ key: String, of entity: String) -> String {
    let destination = numbers.pick(model.entities)
    let isToMany = numbers.flip()
    var text = "\(key): " + (isToMany ? "[\(destination.name)]" : "\(destination.name)?")
    if isToMany, numbers.oneIn(3) { text += " ordered" }
    let candidates = model.allRelationships(of: destination.name).map(\.name) + [key]
    if !numbers.oneIn(3) { text += " inverse \(numbers.pick(candidates))" }
    if numbers.oneIn(4) {
      text += " delete \(numbers.pick(["cascade", "nullify", "none", "deny"]))"
    }
    return text
  }

  /// Runs a change of the model: all objects must remain, and every value except those of some
  /// keys.
  ///
  /// The inverses of changed relationships are excluded too: they may get more links.
  @discardableResult
  private mutating func keeping(
    _ statement: String, but keys: [String] = [], renaming name: RenamedKey? = nil
  ) throws -> Bool {
    let before = GraphDump(sitting.graph)
    guard try run(statement) else { return false }
    let after = GraphDump(sitting.graph)
    try hold(
      Set(before.objects.keys) == Set(after.objects.keys), finding("objects were added or lost"))
    let inverses = keys.flatMap(inverseNames)
    for (object, values) in before.values {
      for (key, value) in values where !keys.contains(key) && !inverses.contains(key) {
        let present = name?.present(key, of: before.objects[object] ?? "", model) ?? key
        let now = after.values[object]?[present]
        try hold(
          now == value, finding("\(object).\(key) was \(value), and is now \(now ?? "missing")"))
      }
    }
    return true
  }

  private func inverseNames(_ key: String) -> [String] {
    model.entities.compactMap { model.inverse(of: key, in: $0.name)?.relationship.name }
  }
}

private struct RenamedKey {
  var entity: String
  var old: String
  var new: String

  /// Returns the present name of a key of an object's entity.
  func present(_ key: String, of entity: String, _ model: Model) -> String {
    key == old && model.entity(entity, isKindOf: self.entity) ? new : key
  }
}

extension Entity {
  fileprivate var nameIfConcrete: String? { isAbstract ? nil : name }
}
