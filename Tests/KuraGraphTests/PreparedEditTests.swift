import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

/// Single objects that are inserted one after the other, with and without a prepared edit.
@Suite("Prepared inserts") struct PreparedEditTests {
  private static func graph() throws -> SmallGraph {
    var graph = SmallGraph([
      Entity(
        name: "A",
        attributes: [
          Attribute(name: "t", type: .string),
          Attribute(name: "c", type: .string, isOptional: true),
          Attribute(name: "n", type: .integer, defaultValue: .integer(7)),
          Attribute(name: "d", type: .date, isOptional: true),
          Attribute(name: "x", type: .double, isOptional: true),
          Attribute(name: "f", type: .boolean, isOptional: true),
          Attribute(
            name: "size", type: .integer, isOptional: true,
            derivation: try ExpressionTree(parsing: "length(t)")),
        ],
        relationships: [
          Relationship(name: "b", destination: "B", isOptional: true, inverse: "a")
        ]),
      Entity(
        name: "C", parent: "A",
        attributes: [Attribute(name: "own", type: .string, isOptional: true)]),
      Entity(
        name: "B",
        attributes: [
          Attribute(
            name: "made", type: .date, isOptional: true,
            defaultExpression: try ExpressionTree(parsing: "now()"))
        ],
        relationships: [Relationship(name: "a", destination: "A", isToMany: true, inverse: "b")]),
      Entity(name: "N", isAbstract: true),
    ])
    try graph.perform { try $0.insert("B/1") }
    return graph
  }

  private static let lists = [
    ["t"], ["t", "c", "n"], ["d", "t", "x", "f"], ["f", "n", "t"], ["t", "b"],
  ]

  private static func value(_ key: String, _ dice: inout SeededNumbers) -> Value {
    switch key {
    case "t": .string("t\(dice.below(1000)) が")
    case "c": dice.oneIn(3) ? .null : .string("c\(dice.below(4))")
    case "n": .integer(Int64(dice.below(9)))
    case "d": .date(Timestamp(microseconds: Int64(dice.below(9)) * 86_400_000_000))
    case "x": .double(Double(dice.below(9)) / 4)
    case "f": dice.oneIn(4) ? .null : .boolean(dice.flip())
    default: objects("B/1").elements?.first ?? .null
    }
  }

  @Test(
    "equal ordinary edits, also when they are undone", arguments: [1, 2, 3])
  func same(seed: UInt64) throws {
    var (formed, edited) = (try Self.graph(), try Self.graph())
    var dice = SeededNumbers(seed: seed)
    for _ in 0..<200 {
      let (entity, keys) = (dice.pick(["A", "C"]), dice.pick(Self.lists))
      let values = keys.map { Self.value($0, &dice) }
      let form = PreparedEdit(.insert, entity, keys, in: formed.context.graph)
      #expect((form == nil) == keys.contains("b"))
      let new = zip(keys, values).map { NewValue($0, $1) }
      let object = NewObject(entity: entity, values: new)
      let second = try edited.context.perform("i", in: SmallGraph.evaluation) {
        try $0.insert([object])
      }
      guard let form, let insertion = formed.context.insertion(of: values, form) else {
        _ = try formed.context.perform("i", in: SmallGraph.evaluation) { try $0.insert([object]) }
        continue
      }
      let first = try formed.context.insert(insertion, "i", in: SmallGraph.evaluation)
      #expect(first.result == second.result && first.change == second.change)
      if dice.oneIn(5) {
        _ = try formed.context.undo()
        _ = try edited.context.undo()
        if dice.flip() {
          _ = try formed.context.redo()
          _ = try edited.context.redo()
        }
      }
    }
    #expect(formed.context.graph.difference(to: edited.context.graph).isEmpty)
    #expect(formed.context.netChange == edited.context.netChange)
  }

  @Test("are not used for objects with further properties")
  func refused() throws {
    let graph = try Self.graph().context.graph
    for (entity, keys) in [
      ("A", ["size"]), ("A", ["b"]), ("A", ["nothing"]), ("B", []), ("N", []), ("Z", []),
      ("A", ["t", "t"]),
    ] {
      #expect(PreparedEdit(.insert, entity, keys, in: graph) == nil, "\(entity) \(keys)")
    }
    #expect(PreparedEdit(.insert, "B", ["made"], in: graph) != nil)
  }

  @Test("are refused as a whole by a validation, and by another model")
  func accepted() throws {
    struct No: Error {}
    var graph = try Self.graph()
    let form = try #require(PreparedEdit(.insert, "A", ["t"], in: graph.context.graph))
    let insertion = try #require(graph.context.insertion(of: [.string("x")], form))
    let before = graph.context.graph
    #expect(throws: No.self) {
      try graph.context.insert(insertion, "i", in: SmallGraph.evaluation) { _, _ in throw No() }
    }
    #expect(before.difference(to: graph.context.graph).isEmpty)
    #expect(try Self.graph().context.insertion(of: [.string("x")], form) == nil)
  }

  /// Returns many of them in two contexts, one of which keeps no run.
  private static func many(_ count: Int) throws -> (packed: SmallGraph, plain: [ChangeSet]) {
    var graph = try Self.graph()
    graph.context.didSave()
    let form = try #require(PreparedEdit(.insert, "A", ["t", "c", "d"], in: graph.context.graph))
    var dice = SeededNumbers(seed: 8)
    var plain: [ChangeSet] = []
    for number in 0..<count {
      let values = ["t", "c", "d"].map { Self.value($0, &dice) }
      let insertion = try #require(graph.context.insertion(of: values, form))
      let done = try graph.context.insert(
        insertion, "i\(number / 10_000)", in: SmallGraph.evaluation)
      plain.append(done.change)
    }
    return (graph, plain)
  }

  @Test("are stored as one run if they fill a chunk, but appear as single steps")
  func runs() throws {
    let count = ColumnChunk.capacity + 2500
    var (graph, plain) = try Self.many(count)
    let parts = graph.context.unsavedChanges.count
    // Runs of one name join from the first to the last full chunk.
    #expect(parts < count - 6000)
    #expect(
      graph.context.netChange.inserted.map(\.numbers) == [plain.flatMap { $0.inserted[0].numbers }])
    #expect(graph.context.netChange == ChangeSet.net(of: plain, in: graph.context.graph.model))
    #expect(graph.context.unsavedActions.count == count)
    #expect(graph.context.history.undoableNames.last == "i1")
    #expect(graph.context.savedGraph.objectCount(of: "A") == 0)
    for place in (count - 2600..<count).reversed() {
      let group = try graph.context.undo()
      #expect(group?.changes.count == 1 && group?.name == "i1")
      if case .objects(let change)? = group?.changes.first { #expect(change == plain[place]) }
    }
    #expect(
      graph.context.netChange
        == ChangeSet.net(of: Array(plain[..<(count - 2600)]), in: graph.context.graph.model))
    for _ in 0..<2600 { _ = try graph.context.redo() }
    #expect(graph.context.netChange == ChangeSet.net(of: plain, in: graph.context.graph.model))
    graph.context.history.levels = 3000
    #expect(graph.context.history.undoableNames.count == 3000)
    graph.context.rollback()
    #expect(graph.context.graph.objectCount(of: "A") == 0 && !graph.context.hasChanges)
    _ = try graph.context.undo()
    #expect(graph.context.graph.objectCount(of: "A") == count)
  }

  @Test("are not stored as one run if something else happened between")
  func others() throws {
    var (graph, _) = try Self.many(ColumnChunk.capacity - 10)
    _ = try graph.perform { try $0.set("A/5", "c", .string("other")) }
    let form = try #require(PreparedEdit(.insert, "A", ["t"], in: graph.context.graph))
    for _ in 0..<20 {
      let insertion = try #require(graph.context.insertion(of: [.string("x")], form))
      _ = try graph.context.insert(insertion, "i", in: SmallGraph.evaluation)
    }
    #expect(graph.context.unsavedChanges.count == ColumnChunk.capacity + 11)
    for _ in 0..<21 { _ = try graph.context.undo() }
    let values = graph.context.netChange.inserted.flatMap(\.columns).first { $0.key == "c" }?.new
    #expect(values?.count == ColumnChunk.capacity - 10 && values?[4] != .text("other"))
  }
}
