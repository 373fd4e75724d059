import KuraModel
import KuraValues
import Testing

@testable import KuraGraph

@Suite("A deletion that meets a link saved by another context") struct DeletionMergeTests {
  private static let category = ObjectID(entity: "Category", number: 2)
  private static let item = ObjectID(entity: "Item", number: 1)

  /// Returns two contexts: the first has moved an item to the category that the second has deleted.
  private static func writers(_ rule: DeleteRule) throws -> TwoWriters {
    var two = try TwoWriters(rule)
    _ = try two.first.insert([NewObject(entity: "Category")])
    two.first.didSave()
    two.second = two.first
    try TwoWriters.edit(&two.first) {
      try $0.set(NewValue("category", TwoWriters.object("Category", 2)), of: item)
    }
    try TwoWriters.edit(&two.second) { try $0.delete([category]) }
    return two
  }

  @Test(
    "is a conflict with any delete rule", arguments: [DeleteRule.nullify, .deny, .none])
  func conflict(rule: DeleteRule) throws {
    let conflict = try #require(try Self.writers(rule).merged().conflicts.first)
    #expect(conflict.kind == .leads(Self.category))
    #expect(conflict.object == Self.item && conflict.key == "category")
  }

  @Test(
    "is dropped if the store's changes win", arguments: [DeleteRule.nullify, .deny, .none])
  func store(rule: DeleteRule) throws {
    let merged = try Self.writers(rule).merged(.store)
    #expect(merged.graph.find(Self.category) != nil && merged.settled.count == 1)
    #expect(merged.graph.value("category", of: Self.item) == .object(2))
  }

  @Test(
    "is kept if the local changes win, with one message", arguments: [DeleteRule.deny, .none])
  func memory(rule: DeleteRule) throws {
    var two = try Self.writers(rule)
    let merged = try two.merged(.memory)
    #expect(merged.graph.find(Self.category) == nil && merged.settled.count == 1)
    two.second.merge(merged, onto: two.first.graph)
    let again = try two.merged(.error)
    #expect(again.conflicts.isEmpty && again.graph.find(Self.category) == nil)
  }

  /// The first new object of the entity once counted as the cause, so no policy ended the conflict.
  @Test("is dropped if a new object has its number and other objects are new, too")
  func replaced() throws {
    let taught = Relationship(name: "taught", destination: "Student", isToMany: true)
    let person = Entity(name: "Person", relationships: [taught])
    var context = GraphContext(
      Graph(model: Model(entities: [person, Entity(name: "Student", parent: "Person")])))
    let one = ObjectID(entity: "Person", number: 1)
    _ = try context.insert([NewObject(entity: "Student")])
    context.didSave()
    var two = try TwoWriters()
    (two.first, two.second) = (context, context)
    _ = try two.first.insert([
      NewObject(
        entity: "Person", values: [NewValue("taught", .list([TwoWriters.object("Person", 1)]))])
    ])
    try TwoWriters.edit(&two.second) {
      _ = try $0.insert([NewObject(entity: "Person")])
      try $0.delete([one])
      _ = try $0.insert([NewObject(entity: "Person", number: 1)])
    }
    let merged = try two.merged(.store)
    #expect(merged.conflicts.isEmpty && merged.settled.contains { $0.kind == .leads(one) })
    let teacher = ObjectID(entity: "Person", number: 2)
    #expect(merged.graph.value("taught", of: teacher) == .objects([1]))
    #expect(merged.graph.find(ObjectID(entity: "Person", number: 3)) != nil)
  }

  @Test("does not conflict if the link existed before", arguments: [DeleteRule.deny, .none])
  func known(rule: DeleteRule) throws {
    var two = try TwoWriters(rule)
    let first = ObjectID(entity: "Category", number: 1)
    try TwoWriters.edit(&two.first) { try $0.set(NewValue("title", .string("x")), of: Self.item) }
    try TwoWriters.edit(&two.second) { try $0.delete([first]) }
    #expect(try two.merged().conflicts.isEmpty)
  }
}
