import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport

/// A random model for contexts that save to one store: entities with a parent, and relationships of
/// all kinds.
struct MergeWorld {
  let model: Model
  static let entities = ["A", "A1", "B", "C"]

  init(_ numbers: inout SeededNumbers, leavesLinks: Bool) throws {
    var relationships: [String: [Relationship]] = [:]
    for i in 0..<(2 + numbers.below(4)) {
      let (here, there) = (numbers.pick(Self.entities), numbers.pick(Self.entities))
      let kinds = [(false, false), (false, true), (true, true), (true, false)]
      let (isMany, isBackMany) = numbers.pick(kinds)
      let rules: [DeleteRule] =
        leavesLinks ? [.nullify, .cascade, .deny, .none] : [.nullify, .nullify, .cascade]
      let (name, back) = ("r\(i)a", "r\(i)b")
      if numbers.oneIn(5) {
        relationships[here, default: []].append(
          Relationship(
            name: name, destination: here, isToMany: isMany, inverse: name,
            deleteRule: numbers.pick(rules)))
        continue
      }
      let hasInverse = !numbers.oneIn(5)
      relationships[here, default: []].append(
        Relationship(
          name: name, destination: there, isToMany: isMany,
          isOrdered: isMany && numbers.oneIn(3), inverse: hasInverse ? back : nil,
          deleteRule: numbers.pick(rules)))
      guard hasInverse else { continue }
      relationships[there, default: []].append(
        Relationship(
          name: back, destination: here, isToMany: isBackMany,
          isOrdered: isBackMany && numbers.oneIn(3), inverse: name,
          deleteRule: numbers.pick(rules)))
    }
    let isCounted = numbers.oneIn(3)
    model = Model(
      entities: try Self.entities.map { name in
        let own = relationships[name] ?? []
        let counted = own.first { $0.isToMany }.flatMap { isCounted ? $0.name : nil }
        return Entity(
          name: name, parent: name == "A1" ? "A" : nil,
          attributes: try Self.attributes(name, counting: counted), relationships: own)
      })
  }

  private static func attributes(_ name: String, counting key: String?) throws -> [Attribute] {
    guard name != "A1" else { return [] }
    let plain = ["n", "m"].map { Attribute(name: $0, type: .integer, isOptional: true) }
    guard let key else { return plain }
    let derivation = try ExpressionTree(parsing: "\(key).@count")
    return plain + [
      Attribute(name: "count", type: .integer, isOptional: true, derivation: derivation)
    ]
  }
}

extension MergeWorld {
  /// Makes a random edit; one that does not fit has no effect.
  func edit(_ context: inout GraphContext, _ numbers: inout SeededNumbers) -> String {
    let objects = Self.entities.filter { $0 != "A1" }.flatMap(context.graph.objectIDs)
    let rules = EvaluationContext(nilArithmeticIsNil: true)
    let edit = Edit(objects, model, &numbers)
    do {
      _ = try context.perform(edit.description, in: rules) { try edit.apply(to: &$0) }
    } catch { return "\(edit) not done: \(error)" }
    return edit.description
  }
}

/// The kinds of edits.
private enum Edit {
  case insert(String, [NewValue])
  /// With a given number.
  case insertAs(ObjectID)
  case set(ObjectID, NewValue)
  case delete([ObjectID])

  init(_ objects: [ObjectID], _ model: Model, _ numbers: inout SeededNumbers) {
    guard !objects.isEmpty, !numbers.oneIn(4) else {
      let entity = numbers.pick(MergeWorld.entities)
      if numbers.oneIn(8) {
        let id = ObjectID(
          entity: entity, root: model.root(of: entity), number: Int64(1 + numbers.below(12)))
        self = .insertAs(id)
      } else {
        self = .insert(entity, Self.values(objects, entity, model, &numbers))
      }
      return
    }
    let id = numbers.pick(objects)
    if numbers.oneIn(4) {
      self = .delete(numbers.oneIn(4) ? [id, numbers.pick(objects)] : [id])
    } else {
      self = .set(id, Self.value(objects, id.entity, model, &numbers))
    }
  }

  private static func values(
    _ objects: [ObjectID], _ entity: String, _ model: Model, _ numbers: inout SeededNumbers
  ) -> [NewValue] {
    var values: [String: NewValue] = [:]
    for _ in 0..<numbers.below(4) {
      let value = value(objects, entity, model, &numbers)
      values[value.key] = value
    }
    return values.keys.sorted().compactMap { values[$0] }
  }

  private static func value(
    _ objects: [ObjectID], _ entity: String, _ model: Model, _ numbers: inout SeededNumbers
  ) -> NewValue {
    let relationships = model.allRelationships(of: entity)
    guard !relationships.isEmpty, !numbers.oneIn(3) else {
      return NewValue(numbers.pick(["n", "m"]), .integer(Int64(numbers.below(100))))
    }
    let relationship = numbers.pick(relationships)
    let known = objects.filter { model.entity($0.entity, isKindOf: relationship.destination) }
    let count = relationship.isToMany ? numbers.below(4) : numbers.oneIn(4) ? 0 : 1
    let chosen = known.isEmpty ? [] : (0..<count).map { _ in numbers.pick(known).value }
    guard relationship.isToMany else { return NewValue(relationship.name, chosen.first ?? .null) }
    return NewValue(
      relationship.name, .list(chosen), operation: numbers.pick([.set, .add, .add, .remove]))
  }
}

extension Edit: CustomStringConvertible {
  func apply(to editor: inout GraphEditor) throws {
    switch self {
    case .insert(let entity, let values):
      _ = try editor.insert([NewObject(entity: entity, values: values)])
    case .insertAs(let id):
      _ = try editor.insert([NewObject(entity: id.entity, number: id.number)])
    case .set(let id, let value): try editor.set(value, of: id)
    case .delete(let ids): try editor.delete(ids)
    }
  }

  var description: String {
    func text(_ value: NewValue) -> String {
      let objects = value.value.relatedObjects?.map { $0?.description ?? "?" }
      let shown = objects.map { "{\($0.joined(separator: ", "))}" } ?? "\(value.value)"
      return "\(value.key) \(value.operation) \(shown)"
    }
    return switch self {
    case .insert(let entity, let values):
      "insert \(entity) \(values.map(text).joined(separator: ", "))"
    case .insertAs(let id): "insert \(id)"
    case .set(let id, let value): "update \(id) \(text(value))"
    case .delete(let ids): "delete \(ids.map(\.description).joined(separator: ", "))"
    }
  }
}

extension ObjectID {
  fileprivate var value: Value { .object(ObjectReference(Named(objectID: self))) }
}

private struct Named: KeyReadable {
  let objectID: ObjectID?
  func value(forKey key: String) throws -> Value { .null }
}
