import KuraGraph
import KuraModel
import KuraValues

/// One edit of a graph, for the plain model and for the real graph.
enum GraphEdit {
  case insert(
    PlainID, entity: String, isNumbered: Bool, values: [String: String],
    links: [(String, [PlainID])])
  case set(PlainID, String, String?)
  case relate(PlainID, String, NewValue.Operation, [PlainID])
  case delete([PlainID])
}

/// The name of an object, without keys.
private struct ObjectName: KeyReadable {
  var objectID: ObjectID?
  func value(forKey key: String) -> Value { .null }
}

extension PlainID {
  var objectID: ObjectID { ObjectID(entity: root, root: root, number: number) }
}

extension [PlainID] {
  /// Returns one object, null, or a list.
  func value(isToMany: Bool) -> Value {
    let objects = map { Value.object(ObjectReference(ObjectName(objectID: $0.objectID))) }
    return isToMany ? .list(objects) : objects.first ?? .null
  }
}

extension PlainGraph {
  mutating func apply(_ edit: GraphEdit) {
    switch edit {
    case .insert(let id, let entity, _, let values, let links):
      var all = ["s": "t0"]
      if entity.hasPrefix("B") { all["n"] = "7" }
      insert(id, entity, all.merging(values) { $1 }, links)
    case .set(let id, let key, let value): objects[id]?.values[key] = value
    case .relate(let id, let key, .set, let targets): set(id, key, targets)
    case .relate(let id, let key, .add, let targets):
      let old = links(id, key)
      set(id, key, old + targets.filter { !old.contains($0) })
    case .relate(let id, let key, .remove, let targets):
      set(id, key, links(id, key).filter { !targets.contains($0) })
    case .relate(_, _, .part, _): preconditionFailure("a relationship has no parts")
    case .delete(let ids): delete(ids)
    }
  }
}

extension GraphEditor {
  /// Performs an edit; returns whether an inserted object got the expected number.
  mutating func apply(_ edit: GraphEdit, _ world: GeneratedModel) throws -> Bool {
    switch edit {
    case .insert(let id, let entity, let isNumbered, let values, let links):
      let given =
        values.map { NewValue($0, value($0, $1)) }
        + links.map { NewValue($0, $1.value(isToMany: world.end($0).isToMany)) }
      let ids = try insert([
        NewObject(entity: entity, number: isNumbered ? id.number : nil, values: given)
      ])
      return ids.map(\.number) == [id.number]
    case .set(let id, let key, let text):
      try set(NewValue(key, text.map { value(key, $0) } ?? .null), of: id.objectID)
    case .relate(let id, let key, let operation, let targets):
      let value = targets.value(isToMany: world.end(key).isToMany)
      try set(NewValue(key, value, operation: operation), of: id.objectID)
    case .delete(let ids): try delete(ids.map(\.objectID))
    }
    return true
  }

  private func value(_ key: String, _ text: String) -> Value {
    key == "s" ? .string(text) : .integer(Int64(text) ?? 0)
  }
}
