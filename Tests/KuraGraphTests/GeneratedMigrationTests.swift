import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

private let context = EvaluationContext(nilArithmeticIsNil: true)

/// A graph under random changes of its objects and its model.
private struct ChangingWorld {
  var context: GraphContext
  var dice: SeededNumbers
  /// The graph before each step that can be undone.
  var past: [String] = []
  var count = 0
  /// The number of steps of each kind that changed something.
  var done: [Kind: Int] = [:]

  enum Kind: CaseIterable {
    case insert, link, delete, undo, rename, renameEntity, retype, addOrDrop, widen, cutOrJoin
  }

  init(seed: UInt64) {
    dice = SeededNumbers(seed: seed)
    let a = Entity(
      name: "A", attributes: [Attribute(name: "t", type: .string, isOptional: true)],
      relationships: [
        Relationship(name: "one", destination: "B", inverse: "many"),
        Relationship(name: "own", destination: "A", isToMany: true, inverse: "own"),
      ])
    let heir = Entity(
      name: "C", parent: "A", attributes: [Attribute(name: "x", type: .integer, isOptional: true)])
    let b = Entity(
      name: "B", attributes: [Attribute(name: "t", type: .string, isOptional: true)],
      relationships: [
        Relationship(
          name: "many", destination: "A", isToMany: true, isOrdered: true, inverse: "one")
      ])
    context = GraphContext(Graph(model: Model(entities: [a, heir, b])))
  }

  var model: Model { context.graph.model }

  mutating func pick<T>(_ list: [T]) -> T? { list.randomElement(using: &dice) }

  mutating func newName() -> String {
    count += 1
    return "k\(count)"
  }
}

extension ChangingWorld {
  /// The complete content of the graph, as text.
  var dump: String {
    let snapshot = context.snapshot
    let graph = context.graph
    return graph.model.entities.map { entity in
      graph.objectIDs(of: entity.name).filter { $0.entity == entity.name }.sorted {
        $0.number < $1.number
      }.map { id in
        guard let place = graph.find(id) else { return "lost \(id)" }
        let object = snapshot.object(table: place.table, row: place.row)
        let values = graph.model.keys(of: entity.name).map { key in
          "\(key)=\(text((try? object.value(forKey: key)) ?? .null))"
        }
        return "\(id) \(values.joined(separator: " "))"
      }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func text(_ value: Value) -> String {
    switch value {
    case .object(let reference): reference.id?.description ?? "?"
    case .list(let list): "[" + list.map(text).joined(separator: ",") + "]"
    case .set(let set): "{" + set.elements.map(text).sorted().joined(separator: ",") + "}"
    default: "\(value)"
    }
  }

  /// Links that only one end has.
  var brokenLinks: [String] {
    let graph = context.graph
    return graph.model.entities.flatMap { entity in
      entity.relationships.flatMap { relationship -> [String] in
        guard let inverse = graph.model.inverse(of: relationship.name, in: entity.name),
          let here = graph.links(relationship.name, of: entity.name),
          let there = graph.links(inverse.relationship.name, of: inverse.owner)
        else { return [] }
        let pairs = Set(here.rows.flatMap { row, targets in targets.map { [row, $0] } })
        let back = Set(there.rows.flatMap { row, targets in targets.map { [$0, row] } })
        return pairs == back ? [] : ["\(entity.name).\(relationship.name)"]
      }
    }
  }
}

extension ChangingWorld {
  /// Performs one random step.
  mutating func step() throws {
    let kind = dice.pick(Kind.allCases + [.insert, .link])
    let before = context.graph.model
    let objects = dump
    switch kind {
    case .insert: try insert()
    case .link: try link()
    case .delete: try delete()
    case .undo: try undo()
    case .rename: try rename()
    case .renameEntity: try renameEntity()
    case .retype: try retype()
    case .addOrDrop: try addOrDrop()
    case .widen: try widen()
    case .cutOrJoin: try cutOrJoin()
    }
    if before != context.graph.model || objects != dump { done[kind, default: 0] += 1 }
  }

  private mutating func did(_ before: String, _ steps: Int) {
    if context.history.undoableNames.count > steps { past.append(before) }
  }

  private mutating func perform(_ edit: (inout GraphEditor) throws -> Void) throws {
    let before = dump
    let steps = context.history.undoableNames.count
    _ = try context.perform("edit", in: KuraGraphTests.context, edit)
    did(before, steps)
  }

  private mutating func insert() throws {
    guard let entity = pick(model.entities.map(\.name)) else { return }
    let key = model.allAttributes(of: entity).first { $0.type == .string }?.name
    let number = Int.random(in: 0..<50, using: &dice)
    try perform { editor in
      let values = key.map { [NewValue($0, .string("\(number)"))] } ?? []
      _ = try editor.insert([NewObject(entity: entity, values: values)])
    }
  }

  private mutating func link() throws {
    guard let entity = pick(model.entities.filter { !$0.relationships.isEmpty }),
      let relationship = pick(entity.relationships),
      let id = pick(context.graph.objectIDs(of: entity.name)), let place = context.graph.find(id)
    else { return }
    let all = context.graph.objectIDs(of: relationship.destination)
    let chosen = all.filter { _ in Bool.random(using: &dice) }.prefix(relationship.isToMany ? 3 : 1)
    let snapshot = context.snapshot
    let objects = chosen.compactMap(context.graph.find).map {
      Value.object(ObjectReference(snapshot.object(table: $0.table, row: $0.row)))
    }
    let value: Value = relationship.isToMany ? .list(objects) : objects.first ?? .null
    try perform { editor in
      try editor.set(
        NewValue(relationship.name, value), table: place.table, row: place.row)
    }
  }

  private mutating func delete() throws {
    guard let entity = pick(model.entities.map(\.name)),
      let id = pick(context.graph.objectIDs(of: entity))
    else { return }
    try perform { editor in try editor.delete([id]) }
  }

  private mutating func undo() throws {
    guard let before = past.popLast() else { return }
    let after = dump
    _ = try context.undo()
    #expect(dump == before)
    guard Bool.random(using: &dice) else { return }
    _ = try context.redo()
    #expect(dump == after)
    past.append(before)
  }
}

// The model
extension ChangingWorld {
  /// Changes the model; a change that does not fit leaves everything unchanged.
  private mutating func migrate(_ change: (inout Migration, inout Model) -> Void) throws -> Bool {
    var next = model
    var names = Migration(context.graph, to: next)
    change(&names, &next)
    guard ModelCheck(next).contradictions.isEmpty else { return false }
    var migration = Migration(context.graph, to: next)
    migration.oldKeys = names.oldKeys
    migration.oldEntities = names.oldEntities
    let before = dump
    do {
      let graph = try migration.graph(in: KuraGraphTests.context)
      context.changeModel("alter", to: graph)
      past.append(before)
      return true
    } catch is MigrationProblems {
      #expect(dump == before)
      return false
    }
  }

  private mutating func rename() throws {
    guard let entity = pick(model.entities),
      let key = pick(entity.attributes.map(\.name) + entity.relationships.map(\.name))
    else { return }
    let new = newName()
    let before = dump
    let isDone = try migrate { migration, model in
      model.rename(key: key, of: entity.name, to: new)
      migration.oldKeys[EntityKey(entity.name, new)] = key
    }
    #expect(isDone)
    #expect(dump.replacing(" \(new)=", with: " \(key)=") == before)
  }

  private mutating func renameEntity() throws {
    guard let entity = pick(model.entities.map(\.name)) else { return }
    let new = newName()
    let isDone = try migrate { migration, model in
      model.rename(entity: entity, to: new)
      migration.oldEntities[new] = entity
    }
    #expect(isDone)
  }

  private mutating func retype() throws {
    guard let entity = pick(model.entities), var attribute = pick(entity.attributes) else { return }
    attribute.type = pick([.string, .integer, .double, .json, .decimal]) ?? .string
    _ = try migrate { _, model in model.set(.attribute(attribute), of: entity.name, isUnique: false)
    }
  }

  private mutating func addOrDrop() throws {
    guard let entity = pick(model.entities) else { return }
    if entity.attributes.count > 1, let attribute = pick(entity.attributes) {
      _ = try migrate { _, model in model.remove(key: attribute.name, of: entity.name) }
    } else {
      let new = Attribute(
        name: newName(), type: .string, isOptional: true, defaultValue: .string("7"))
      _ = try migrate { _, model in model.set(.attribute(new), of: entity.name, isUnique: false) }
    }
  }

  /// Makes a to-one relationship a to-many one, or the reverse.
  private mutating func widen() throws {
    guard let entity = pick(model.entities.filter { !$0.relationships.isEmpty }),
      var relationship = pick(entity.relationships)
    else { return }
    relationship.isToMany.toggle()
    relationship.isOrdered = relationship.isToMany && Bool.random(using: &dice)
    _ = try migrate { _, model in
      model.set(.relationship(relationship), of: entity.name, isUnique: false)
    }
  }

  /// Removes two ends from each other, or joins them again.
  private mutating func cutOrJoin() throws {
    let ends = model.entities.flatMap { entity in
      entity.relationships.map { (entity.name, $0) }
    }
    guard let (owner, relationship) = pick(ends) else { return }
    if let inverse = model.inverse(of: relationship.name, in: owner) {
      _ = try migrate { _, model in
        model.setInverse(nil, of: relationship.name, in: owner)
        model.setInverse(nil, of: inverse.relationship.name, in: inverse.owner)
      }
    } else if let (other, back) = pick(
      ends.filter {
        $0.0 == relationship.destination && $0.1.destination == owner && $0.1.inverse == nil
      })
    {
      _ = try migrate { _, model in
        model.setInverse(back.name, of: relationship.name, in: owner)
        model.setInverse(relationship.name, of: back.name, in: other)
      }
    }
  }
}

@Suite("Random changes of the model")
struct GeneratedMigrationTests {
  @Test("keep objects and both ends of links, and undo and redo", arguments: 1...12)
  func steps(seed: Int) throws {
    var world = ChangingWorld(seed: UInt64(seed))
    for step in 0..<150 {
      try world.step()
      #expect(world.brokenLinks.isEmpty, "seed \(seed), step \(step)")
    }
    for kind in ChangingWorld.Kind.allCases {
      #expect(world.done[kind, default: 0] > 0, "seed \(seed): \(kind) never changed anything")
    }
    // Undoes all steps.
    while let before = world.past.popLast() {
      _ = try world.context.undo()
      #expect(world.dump == before, "seed \(seed)")
    }
  }
}
