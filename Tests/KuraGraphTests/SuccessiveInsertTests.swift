import KuraBytes
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

/// Objects that are inserted together, each as a separate group.
@Suite("Successive inserts") struct SuccessiveInsertTests {
  private static func graph(deriving: Bool = false) throws -> SmallGraph {
    var attributes = [
      Attribute(name: "t", type: .string),
      Attribute(name: "n", type: .integer, defaultValue: .integer(7)),
      Attribute(name: "d", type: .date, isOptional: true),
    ]
    if deriving {
      attributes.append(
        Attribute(
          name: "size", type: .integer, isOptional: true,
          derivation: try ExpressionTree(parsing: "length(t)")))
    }
    return SmallGraph([Entity(name: "A", attributes: attributes)])
  }

  private static func values(_ number: Int) -> [Value] {
    [
      .string("a text of its own, number \(number)"),
      number % 3 == 0
        ? .null : .date(Timestamp(microseconds: Int64(number % 50) * 86_400_000_000)),
    ]
  }

  /// Inserts objects one by one or together, in this order.
  private static func inserted(_ counts: [(Int, together: Bool)]) throws -> GraphContext {
    var context = try graph().context
    context.didSave()
    let form = try #require(PreparedEdit(.insert, "A", ["t", "d"], in: context.graph))
    var next = 0
    for (count, together) in counts {
      let end = next + count
      while next < end, !together {
        let one = try #require(context.insertion(of: values(next), form))
        _ = try context.insert(one, "i", in: SmallGraph.evaluation)
        next += 1
      }
      while next < end {
        var some = try #require(context.insertions(form))
        while next < end, some.add(values(next)) { next += 1 }
        try context.insert(some, "i", in: SmallGraph.evaluation)
      }
    }
    return context
  }

  private static let count = ColumnChunk.capacity * 2 + 300

  @Test(
    "equal single inserts",
    arguments: [
      [(count, true)], [(1, false), (count - 1, true)],
      [(5000, true), (300, false), (1, true), (count - 5301, true)],
    ])
  func same(counts: [(Int, together: Bool)]) throws {
    var alone = try Self.inserted([(Self.count, false)])
    var together = try Self.inserted(counts)
    // They are cells of the table, and are not stored twice.
    #expect(together.unsavedChanges.count < 400)
    for _ in 0..<2 {
      #expect(together.graph.difference(to: alone.graph).isEmpty)
      #expect(together.netChange == alone.netChange)
      #expect(together.unsavedActions == alone.unsavedActions)
      #expect(together.history.undoableNames.count == alone.history.undoableNames.count)
      for _ in 0..<(ColumnChunk.capacity + 1000) {
        let (one, other) = (try alone.undo(), try together.undo())
        #expect(one?.name == other?.name && one?.changes.count == other?.changes.count)
      }
      for _ in 0..<500 {
        _ = try alone.redo()
        _ = try together.redo()
      }
    }
    together.rollback()
    #expect(together.graph.objectCount(of: "A") == 0 && !together.hasChanges)
  }

  @Test("are stored as cells of the table wherever a chunk is full")
  func packed() throws {
    let pieces = (0..<Self.count / 500).flatMap { _ in [(499, together: true), (1, false)] }
    let context = try Self.inserted(pieces + [(Self.count % 500, true)])
    for changes in [context.unsavedChanges, context.history.changes] {
      let batches = changes.compactMap { change in
        if case .objects(let objects) = change { objects.inserted.first } else { nil }
      }
      let listed = batches.filter { $0.columns.contains { $0.new.cells == nil } }
      #expect(listed.reduce(0) { $0 + $1.numbers.count } <= 801)
      #expect(batches.reduce(0) { $0 + $1.numbers.count } == Self.count)
    }
  }

  @Test("are not used if each needs more, nor for more objects than fit into the chunk")
  func refused() throws {
    var context = try Self.graph().context
    let form = try #require(PreparedEdit(.insert, "A", ["t"], in: context.graph))
    var some = try #require(context.insertions(form))
    var count = 0
    while some.add([.string("x")]) { count += 1 }
    #expect(count > 1000 && count <= ColumnChunk.capacity && some.count == count)
    context.observe { _, _ in }
    #expect(context.insertions(form) == nil)
    let deriving = try Self.graph(deriving: true).context
    let derived = try #require(PreparedEdit(.insert, "A", ["t"], in: deriving.graph))
    #expect(deriving.insertions(derived) == nil && deriving.insertions(form) == nil)
  }

  @Test("succeed together or not at all")
  func stopped() throws {
    var context = try Self.graph().context
    let form = try #require(PreparedEdit(.insert, "A", ["t"], in: context.graph))
    var some = try #require(context.insertions(form))
    let isAdded = some.add([.string("x")])
    #expect(isAdded)
    var evaluation = SmallGraph.evaluation
    evaluation.cancel = CancelFlag()
    evaluation.cancel.request()
    #expect(throws: (any Error).self) { try context.insert(some, "i", in: evaluation) }
    #expect(context.graph.objectCount(of: "A") == 0 && context.history.isEmpty)
  }
}
