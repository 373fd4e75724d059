import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraGraph

private let context = EvaluationContext(nilArithmeticIsNil: true)

@Suite("Values that are derived along a chain of objects")
struct LongDerivationTests {
  private func world(_ count: Int) throws -> GraphContext {
    var depth = Attribute(name: "depth", type: .integer, isOptional: true)
    depth.derivation = try ExpressionTree(
      parsing: "TERNARY(parent == nil, start, parent.depth + 1)")
    let node = Entity(
      name: "Node",
      attributes: [
        Attribute(name: "start", type: .integer, isOptional: true, defaultValue: .integer(0)),
        depth,
      ],
      relationships: [Relationship(name: "parent", destination: "Node")])
    var table = Graph(model: Model(entities: [node])).tables[0]
    for number in 1...count {
      _ = table.insert(number: Int64(number), entity: 0, cells: cells(number))
    }
    var graph = Graph(model: Model(entities: [node]))
    graph.tables[0] = table
    return GraphContext(graph)
  }

  private func cells(_ number: Int) -> [StoredCell] {
    [
      .integer(0), .integer(Int64(number - 1)),
      number > 1 ? .object(Int64(number - 2)) : .null,
    ]
  }

  @Test("that keep doubling end at one limit when a store is opened")
  func doubling() throws {
    let attributes = try (0..<40).map { number in
      var attribute = Attribute(name: "a\(number)", type: .string, isOptional: true)
      if number > 0 {
        let (last, isDoubled) = ("a\(number - 1)", number < 20)
        attribute.derivation = try ExpressionTree(
          parsing: isDoubled ? "concat(\(last), \(last))" : last)
      }
      return attribute
    }
    var graph = Graph(model: Model(entities: [Entity(name: "A", attributes: attributes)]))
    let text = ChangeColumn(key: "a0", new: [.text(String(repeating: "x", count: 64))])
    try graph.admit(
      ChangeSet(inserted: [ObjectBatch(entity: "A", numbers: [1], columns: [text])]))
    let error = #expect(throws: Diagnostic.self) {
      var graph = graph
      _ = try graph.repairDerivedValues(in: .utc)
    }
    #expect(error?.facts.sentence.contains("128 MB") == true)
  }

  @Test("of more than ten thousand are not a cycle")
  func long() throws {
    var world = try world(12_000)
    let id = ObjectID(entity: "Node", root: "Node", number: 1)
    _ = try world.perform("update", in: context) { editor in
      try editor.set(NewValue("start", .integer(5)), of: id)
    }
    #expect(world.graph.tables[0].columns[1].value(11_999) == .integer(12_004))
  }

  @Test("in a cycle are refused, and nothing changes")
  func circle() throws {
    var world = try world(50)
    let last = world.snapshot.object(table: 0, row: 49)
    #expect(throws: (any Error).self) {
      try world.perform("update", in: context) { editor in
        try editor.set(
          NewValue("parent", .object(ObjectReference(last))),
          of: ObjectID(entity: "Node", root: "Node", number: 1))
      }
    }
    #expect(world.graph.tables[0].columns[1].value(49) == .integer(49))
  }
}
