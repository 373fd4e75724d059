import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraGraph

/// Two contexts that began with the same graph: one saves first, and the other is merged with it.
struct TwoWriters {
  var first: GraphContext
  var second: GraphContext
  private let rules = EvaluationContext(nilArithmeticIsNil: true)

  init(_ rule: DeleteRule = .cascade) throws {
    let category = Entity(
      name: "Category",
      attributes: [
        Attribute(name: "name", type: .string, isOptional: true),
        Attribute(
          name: "count", type: .integer, isOptional: true,
          derivation: try ExpressionTree(parsing: "items.@count")),
      ],
      relationships: [
        Relationship(
          name: "items", destination: "Item", isToMany: true, inverse: "category",
          deleteRule: rule)
      ])
    let item = Entity(
      name: "Item", attributes: [Attribute(name: "title", type: .string, isOptional: true)],
      relationships: [
        Relationship(name: "category", destination: "Category", inverse: "items")
      ])
    var context = GraphContext(Graph(model: Model(entities: [category, item])))
    _ = try context.insert([NewObject(entity: "Category")])
    _ = try context.insert(["a", "b"].map { Self.item($0, 1) })
    context.didSave()
    first = context
    second = context
  }

  static func item(_ title: String, _ category: Int64?) -> NewObject {
    NewObject(
      entity: "Item",
      values: [
        NewValue("title", .string(title)), NewValue("category", Self.object("Category", category)),
      ])
  }

  static func object(_ entity: String, _ number: Int64?) -> Value {
    guard let number else { return .null }
    return ObjectID(entity: entity, number: number).reference
  }

  static func edit(
    _ context: inout GraphContext, _ body: (inout GraphEditor) throws -> Void
  ) throws {
    _ = try context.perform("edit", in: EvaluationContext(nilArithmeticIsNil: true), body)
  }

  /// Returns the second context's changes merged with the first one's.
  func merged(_ policy: MergePolicy = .error) throws -> MergedChange {
    try second.merging(onto: first.graph, policy: policy, in: rules)
  }
}

extension ObjectID {
  fileprivate var reference: Value { .object(ObjectReference(Named(id: self))) }
}

private struct Named: KeyReadable {
  let id: ObjectID
  var objectID: ObjectID? { id }
  func value(forKey key: String) throws -> Value { .null }
}

extension MergedChange {
  fileprivate func value(_ key: String, _ entity: String, _ number: Int64) -> StoredCell {
    graph.value(key, of: ObjectID(entity: entity, number: number))
  }
}

@Suite("Changes of two contexts that save") struct MergeTests {
  private func item(_ number: Int64) -> ObjectID { ObjectID(entity: "Item", number: number) }

  @Test("are both kept if they concern other keys or objects")
  func distinct() throws {
    var two = try TwoWriters()
    try TwoWriters.edit(&two.first) { try $0.set(NewValue("title", .string("x")), of: item(1)) }
    try TwoWriters.edit(&two.second) {
      try $0.set(NewValue("category", .null), of: item(1))
      try $0.set(NewValue("title", .string("y")), of: item(2))
    }
    let merged = try two.merged()
    #expect(merged.conflicts.isEmpty)
    #expect(merged.value("title", "Item", 1) == .text("x"))
    #expect(merged.value("category", "Item", 1) == .null)
    #expect(merged.value("title", "Item", 2) == .text("y"))
    #expect(merged.value("count", "Category", 1) == .integer(1))
  }

  @Test("of one key of an object conflict, with three values, or follow the policy")
  func sameKey() throws {
    var two = try TwoWriters()
    try TwoWriters.edit(&two.first) { try $0.set(NewValue("title", .string("x")), of: item(1)) }
    try TwoWriters.edit(&two.second) { try $0.set(NewValue("title", .string("y")), of: item(1)) }
    let conflict = try #require(try two.merged().conflicts.first)
    #expect(conflict.kind == .value && conflict.key == "title" && conflict.object == item(1))
    #expect(
      [conflict.old, conflict.new, conflict.present] == [.text("a"), .text("y"), .text("x")])
    #expect(try two.merged(.store).value("title", "Item", 1) == .text("x"))
    #expect(try two.merged(.memory).value("title", "Item", 1) == .text("y"))
  }

  @Test("give new objects the same number: the second gets another, in all references")
  func numbers() throws {
    var two = try TwoWriters()
    _ = try two.first.insert([TwoWriters.item("theirs", 1)])
    _ = try two.second.insert([NewObject(entity: "Category")])
    _ = try two.first.insert([NewObject(entity: "Category")])
    _ = try two.second.insert([TwoWriters.item("ours", 2)])
    let merged = try two.merged()
    #expect(merged.conflicts.isEmpty)
    #expect(
      merged.renumbering.objects.map { "\($0.old) is \($0.new)" }
        == ["Category/2 is Category/3", "Item/3 is Item/4"])
    #expect(merged.value("title", "Item", 3) == .text("theirs"))
    #expect(merged.value("title", "Item", 4) == .text("ours"))
    #expect(merged.value("category", "Item", 4) == .object(3))
    #expect(merged.value("count", "Category", 1) == .integer(3))
  }

  @Test("conflict if one deletes what the other changes or links to")
  func deletions() throws {
    var two = try TwoWriters()
    try TwoWriters.edit(&two.first) { try $0.delete([item(1)]) }
    try TwoWriters.edit(&two.second) { try $0.set(NewValue("title", .string("y")), of: item(1)) }
    #expect(try two.merged().conflicts.map(\.kind) == [.deleted])
    #expect(try two.merged(.memory).change.isEmpty)

    var other = try TwoWriters()
    try TwoWriters.edit(&other.first) {
      try $0.delete([ObjectID(entity: "Category", number: 1)])
    }
    _ = try other.second.insert([TwoWriters.item("new", 1)])
    let category = ObjectID(entity: "Category", number: 1)
    #expect(try other.merged().conflicts.map(\.kind) == [.destination(category)])
    #expect(try other.merged(.store).value("category", "Item", 3) == .null)
  }

  @Test("conflict if a cascade would reach what the other has added")
  func cascades() throws {
    var two = try TwoWriters()
    _ = try two.first.insert([TwoWriters.item("theirs", 1)])
    try TwoWriters.edit(&two.second) { try $0.delete([ObjectID(entity: "Category", number: 1)]) }
    let category = ObjectID(entity: "Category", number: 1)
    #expect(
      try two.merged().conflicts == [ChangeConflict(object: item(3), kind: .leads(category))])
    #expect(try two.merged(.memory).graph.objectCount(of: "Item") == 0)
  }

  @Test("leave a history with the new numbers, and refuse steps that no longer fit")
  func history() throws {
    var two = try TwoWriters()
    _ = try two.first.insert([TwoWriters.item("theirs", nil)])
    _ = try two.second.insert([TwoWriters.item("ours", nil)])
    let base = two.first.graph
    two.second.merge(try two.merged(), onto: base)
    #expect(two.second.graph.objectCount(of: "Item") == 4)
    _ = try two.second.undo()
    #expect(two.second.graph.find(item(4)) == nil && two.second.graph.find(item(3)) != nil)
    #expect(!two.second.hasChanges)
  }

  /// Checks what the second context's `undo` leaves after both have saved.
  private func undoRefused(_ two: inout TwoWriters, _ policy: MergePolicy = .error) throws {
    let base = two.first.graph
    two.second.merge(try two.merged(policy), onto: base)
    two.second.didSave()
    let before = two.second.graph.difference(to: base)
    #expect(throws: Diagnostic.self) { _ = try two.second.undo() }
    #expect(two.second.graph.difference(to: base) == before && !two.second.hasChanges)
    // The step is dropped, so that those before it can be undone.
    #expect(two.second.history.undoableNames.count == 2)
  }

  @Test("that are equal cannot be undone by one of them")
  func sameChange() throws {
    var two = try TwoWriters()
    for context in [\TwoWriters.first, \.second] {
      try TwoWriters.edit(&two[keyPath: context]) {
        try $0.set(NewValue("title", .string("x")), of: item(1))
      }
    }
    try undoRefused(&two)
    #expect(two.second.graph.value("title", of: item(1)) == .text("x"))

    var links = try TwoWriters()
    for context in [\TwoWriters.first, \.second] {
      try TwoWriters.edit(&links[keyPath: context]) {
        try $0.set(NewValue("category", .null), of: item(1))
      }
    }
    try undoRefused(&links)

    var deletions = try TwoWriters()
    for context in [\TwoWriters.first, \.second] {
      try TwoWriters.edit(&deletions[keyPath: context]) { try $0.delete([item(1)]) }
    }
    try undoRefused(&deletions)
    #expect(deletions.second.graph.find(item(1)) == nil)
  }

  @Test("that replaced another's by a policy cannot be undone to the state before both")
  func overridden() throws {
    var two = try TwoWriters()
    try TwoWriters.edit(&two.first) { try $0.set(NewValue("title", .string("x")), of: item(1)) }
    try TwoWriters.edit(&two.second) { try $0.set(NewValue("title", .string("y")), of: item(1)) }
    try undoRefused(&two, .memory)
    #expect(two.second.graph.value("title", of: item(1)) == .text("y"))
  }

  @Test("can be undone if others have changed other keys, with later changes too")
  func ownChange() throws {
    var two = try TwoWriters()
    try TwoWriters.edit(&two.first) { try $0.set(NewValue("category", .null), of: item(1)) }
    try TwoWriters.edit(&two.second) { try $0.set(NewValue("title", .string("x")), of: item(1)) }
    let base = two.first.graph
    two.second.merge(try two.merged(), onto: base)
    try TwoWriters.edit(&two.second) { try $0.set(NewValue("category", .null), of: item(2)) }
    for _ in 0..<2 { #expect(try two.second.undo() != nil) }
    #expect(two.second.graph.value("title", of: item(1)) == .text("a"))
    #expect(two.second.graph.value("category", of: item(1)) == .null)
    #expect(!two.second.hasChanges)
  }

  @Test("agree if both delete the same object")
  func bothDelete() throws {
    var two = try TwoWriters()
    try TwoWriters.edit(&two.first) { try $0.delete([item(1)]) }
    try TwoWriters.edit(&two.second) { try $0.delete([item(1)]) }
    let merged = try two.merged()
    #expect(merged.conflicts.isEmpty && merged.change.isEmpty)
  }

  @Test("end the history if the model was changed meanwhile")
  func otherModel() throws {
    var two = try TwoWriters()
    _ = try two.second.insert([TwoWriters.item("ours", nil)])
    two.second.didSave()
    var model = two.first.graph.model
    model.define(Entity(name: "Note"))
    two.first.setModel(model, "entity Note")
    two.second.merge(MergedChange(graph: two.first.graph), onto: two.first.graph)
    #expect(two.second.history.isEmpty)
    #expect(two.second.savedModel.entities == model.entities)
  }
}
