package import KuraGraph
import KuraModel
package import KuraPredicates
import KuraValues

/// Generates graphs of a model from seeds: objects with values that occur in a sample or a
/// predicate, with neighboring values, and with nil.
///
/// An answer that is right on one store only by coincidence is wrong on one of these.
package struct GeneratedGraphs {
  let model: Model
  private let pools: [String: [Value]]
  private let evaluation: EvaluationContext

  /// Creates a generator; `constants` are the values that predicates compare with.
  package init(like sample: Graph, constants: [Constant], in evaluation: EvaluationContext) {
    model = sample.model
    self.evaluation = evaluation
    pools = ValuePools(sample, constants, evaluation.zone).all
  }

  /// Returns a graph that satisfies all rules of its model; nil if none was found.
  package func graph(seed: UInt64) -> Graph? {
    var random = SeededNumbers(seed: seed)
    for _ in 0..<4 {
      if let graph = attempt(&random) { return graph }
    }
    return nil
  }

  private func attempt(_ random: inout SeededNumbers) -> Graph? {
    var context = ManagedObjectContext(Graph(model: model))
    let objects = newObjects(&random)
    guard (try? context.perform("make up", in: evaluation, { try $0.insert(objects) })) != nil
    else { return nil }
    // Objects that break a rule are deleted, and others may break one afterwards.
    for _ in 0..<4 {
      let failures = context.allValidationFailures(in: evaluation)
      if failures.isEmpty { return context.graph }
      let broken = Set(failures.map(\.object)).filter { context.graph.find($0) != nil }
      let edit = { (editor: inout GraphEditor) in try editor.delete(Array(broken)) }
      if (try? context.perform("leave out", in: evaluation, edit)) == nil { return nil }
    }
    return nil
  }
}

// Objects
extension GeneratedGraphs {
  /// Returns new objects; their numbers are known in advance, so that they can link to each other.
  private func newObjects(_ random: inout SeededNumbers) -> [NewObject] {
    var ids: [ObjectID] = []
    var last: [String: Int64] = [:]
    for entity in model.entities where !entity.isAbstract {
      let root = model.root(of: entity.name)
      for _ in 0..<Int.random(in: 4...12, using: &random) {
        let number = last[root, default: 0] + Int64.random(in: 1...3, using: &random)
        last[root] = number
        ids.append(ObjectID(entity: entity.name, root: root, number: number))
      }
    }
    var done: Set<String> = []
    let written = model.entities.flatMap { entity in
      entity.relationships.filter { relationship in
        done.insert("\(entity.name).\(relationship.name)")
        let other = relationship.inverse.map { "\(relationship.destination).\($0)" }
        return other.map { !done.contains($0) || $0 == "\(entity.name).\(relationship.name)" }
          ?? true
      }.map { "\(entity.name).\($0.name)" }
    }
    return ids.map { object($0, among: ids, Set(written), &random) }
  }

  private func object(
    _ id: ObjectID, among ids: [ObjectID], _ written: Set<String>, _ random: inout SeededNumbers
  ) -> NewObject {
    var object = NewObject(entity: id.entity, number: id.number)
    for attribute in model.allAttributes(of: id.entity) where attribute.derivation == nil {
      guard let value = value(of: attribute, id.entity, &random) else { continue }
      object.values.append(NewValue(attribute.name, value))
    }
    for relationship in model.allRelationships(of: id.entity) {
      let owner = model.ownedProperty(named: relationship.name, of: id.entity)?.owner ?? id.entity
      guard written.contains("\(owner).\(relationship.name)") else { continue }
      let targets = ids.filter { model.entity($0.entity, isKindOf: relationship.destination) }
      object.values.append(NewValue(relationship.name, link(relationship, targets, &random)))
    }
    return object
  }

  /// Returns a value; nil for the default of the model.
  private func value(
    of attribute: Attribute, _ entity: String, _ random: inout SeededNumbers
  ) -> Value? {
    if attribute.isOptional, random.chance(25) { return Value.null }
    if attribute.type == .boolean { return Value.boolean(random.chance(50)) }
    let owner = model.ownedProperty(named: attribute.name, of: entity)?.owner ?? entity
    return random.pick(pools["\(owner).\(attribute.name)"] ?? [])
  }

  private func link(
    _ relationship: Relationship, _ targets: [ObjectID], _ random: inout SeededNumbers
  ) -> Value {
    guard relationship.isToMany else {
      if relationship.isOptional, random.chance(20) { return .null }
      return random.pick(targets).map(Self.value) ?? .null
    }
    let share = random.pick([0, 20, 40, 70]) ?? 40
    return .list(targets.filter { _ in random.chance(share) }.map(Self.value))
  }

  private static func value(_ id: ObjectID) -> Value {
    .object(ObjectReference(NamedObject(objectID: id)))
  }
}
