import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@Suite("Undo and redo of many objects, cancelled")
struct StoppedTurnTests {
  private static let count = 12_000

  private func graph() throws -> SmallGraph {
    var graph = SmallGraph()
    try graph.perform { editor in
      _ = try editor.insert(
        (0..<Self.count).map {
          NewObject(entity: "A", values: [NewValue("n", .integer(Int64($0)))])
        })
    }
    return graph
  }

  @Test("leave everything unchanged, and can be repeated")
  func stopped() throws {
    var graph = try graph()
    let cancel = CancelFlag()
    cancel.request()
    #expect(throws: Diagnostic.self) { try graph.context.undo(cancel) }
    #expect(graph.isThere("A/1") && graph.isThere("A/\(Self.count)"))
    #expect(graph.context.history.undoableNames.count == 1 && graph.context.hasChanges)
    #expect(try graph.context.undo(CancelFlag())?.name == "edit")
    #expect(!graph.isThere("A/1") && !graph.context.hasChanges)
    #expect(throws: Diagnostic.self) { try graph.context.redo(cancel) }
    #expect(!graph.isThere("A/1") && graph.context.history.redoableNames.count == 1)
    #expect(try graph.context.redo() != nil)
    #expect(graph.isThere("A/\(Self.count)"))
  }

  @Test("and comparisons of graphs and merges end soon")
  func stoppedComparison() throws {
    let graph = try graph()
    let cancel = CancelFlag()
    let (empty, full) = (SmallGraph().context.graph, graph.context.graph)
    let change = empty.difference(to: full, cancel)
    #expect(change.counts.inserted == Self.count)
    cancel.request()
    for (from, to) in [(empty, full), (full, empty)] {
      #expect(from.difference(to: to, cancel).isEmpty)
    }
    var evaluation = SmallGraph.evaluation
    evaluation.cancel = cancel
    let given = AssignedNumbers(before: [:], next: [:], objects: [])
    #expect(throws: Diagnostic.self) {
      try empty.merging(change, of: empty, policy: .error, given: given, in: evaluation)
    }
  }

  @Test("and the net of several changes ends at every step")
  func net() throws {
    var graph = SmallGraph()
    #expect(!graph.context.hasChanges)
    try graph.perform { _ = try $0.insert([NewObject(entity: "A")]) }
    #expect(graph.context.hasChanges && graph.context.netChange.counts.inserted == 1)
    try graph.perform { try $0.delete([named("A/1")]) }
    #expect(!graph.context.hasChanges && graph.context.netChange.isEmpty)
    try graph.perform { _ = try $0.insert([NewObject(entity: "B")]) }
    #expect(graph.context.hasChanges && graph.context.netChange.counts.inserted == 1)
    _ = try graph.context.undo()
    #expect(!graph.context.hasChanges)
    let cancel = CancelFlag()
    cancel.request()
    #expect(graph.context.netChange(CancelFlag()) != nil)
    _ = try graph.context.redo()
    #expect(graph.context.netChange(cancel) == nil)
    #expect(graph.context.netChange.counts.inserted == 1)
  }
}
