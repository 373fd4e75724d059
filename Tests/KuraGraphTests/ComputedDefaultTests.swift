import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraGraph

@Suite("A computed default")
struct ComputedDefaultTests {
  private var context: GraphContext
  private static let first = Timestamp(microseconds: 1_700_000_000_000_000)
  private static let later = Timestamp(microseconds: 1_800_000_000_000_000)

  init() throws {
    let entity = Entity(
      name: "Note",
      attributes: [
        Attribute(
          name: "created", type: .date, defaultExpression: try ExpressionTree(parsing: "now()")),
        Attribute(
          name: "due", type: .date, isOptional: true,
          defaultExpression: try ExpressionTree(parsing: "dateByAdding(now(), 1, 'day')")),
        Attribute(
          name: "key", type: .uuid, defaultExpression: try ExpressionTree(parsing: "uuid()")),
      ])
    context = GraphContext(Graph(model: Model(entities: [entity])))
  }

  private mutating func insert(_ objects: [NewObject], at now: Timestamp = first) throws {
    let evaluation = EvaluationContext(now: now, nilArithmeticIsNil: true)
    _ = try context.perform("insert", in: evaluation) { editor in try editor.insert(objects) }
  }

  private func value(_ key: String, _ number: Int64, in graph: Graph? = nil) throws -> Value {
    let graph = graph ?? context.graph
    let place = try #require(graph.find(ObjectID(entity: "Note", number: number)))
    return try GraphSnapshot(graph).object(table: place.table, row: place.row).value(forKey: key)
  }

  @Test("is computed for each object at its insertion, unless a value is given")
  mutating func insertion() throws {
    try insert([NewObject(entity: "Note"), NewObject(entity: "Note")])
    try insert(
      [
        NewObject(
          entity: "Note", values: [NewValue("created", .date(Self.first)), NewValue("due", .null)])
      ],
      at: Self.later)
    #expect(try value("created", 1) == .date(Self.first))
    #expect(try value("due", 1) == .date(Self.first.adding(seconds: 86_400) ?? Self.first))
    #expect(try value("created", 3) == .date(Self.first) && value("due", 3) == .null)
    #expect(try Set((1...3).map { try value("key", $0) }).count == 3)
  }

  @Test("is then an ordinary value: undo, redo, updates and a merge keep it")
  mutating func kept() throws {
    var other = context
    try insert([
      NewObject(entity: "Note"), NewObject(entity: "Note", values: [NewValue("due", .null)]),
    ])
    let key = try value("key", 1)
    _ = try context.undo()
    _ = try context.redo()
    #expect(try value("key", 1) == key && value("created", 1) == .date(Self.first))
    #expect(try value("due", 2) == .null)
    // Another context has saved an object in the meantime: ours is created again after it.
    _ = try other.perform("insert", in: EvaluationContext(now: Self.later)) { editor in
      try editor.insert([NewObject(entity: "Note", number: 9)])
    }
    other.didSave()
    let rules = EvaluationContext(now: Self.later, nilArithmeticIsNil: true)
    let merged = try context.merging(onto: other.graph, policy: .error, in: rules)
    let keys = try [1, 2, 9, 10, 11].filter {
      merged.graph.find(ObjectID(entity: "Note", number: $0)) != nil
    }
    .map { try value("key", $0, in: merged.graph) }
    #expect(keys.count == 3 && keys.contains(key))
    let dues = try [1, 2, 9, 10, 11].filter {
      merged.graph.find(ObjectID(entity: "Note", number: $0)) != nil
    }
    .map { try value("due", $0, in: merged.graph) }
    #expect(dues.filter(\.isNull).count == 1)
  }

  @Test("that fails inserts nothing, and is named")
  mutating func failing() throws {
    let entity = Entity(
      name: "Bad",
      attributes: [
        Attribute(
          name: "n", type: .integer,
          defaultExpression: try ExpressionTree(parsing: "1 / randomn(1)"))
      ])
    context = GraphContext(Graph(model: Model(entities: [entity])))
    #expect(throws: (any Error).self) { try insert([NewObject(entity: "Bad")]) }
    #expect(context.graph.tables.allSatisfy { $0.count == 0 })
  }
}
