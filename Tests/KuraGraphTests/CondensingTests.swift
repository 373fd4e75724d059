import KuraGraph
import KuraModel
import KuraValues
import TestSupport
import Testing

@testable import KuraGraph

/// Unsaved changes when the history keeps few groups.
@Suite("Unsaved steps without a group")
struct CondensingTests {
  private func graph(levels: Int) throws -> SmallGraph {
    var graph = SmallGraph()
    try graph.perform { _ = try $0.insert([NewObject(entity: "A"), NewObject(entity: "B")]) }
    graph.context.didSave()
    graph.context.history.removeAll()
    graph.context.history.levels = levels
    return graph
  }

  private func with(_ key: String, in model: Model) throws -> Model {
    var model = model
    var entity = try #require(model["A"])
    entity.attributes.append(Attribute(name: key, type: .integer, isOptional: true))
    model.define(entity)
    return model
  }

  @Test("need space for their net change, and not for the statements")
  func few() throws {
    var graph = try graph(levels: 1)
    for i in 0..<TestLength.count(3300, long: 5000) {
      try graph.perform { _ = try $0.insert([NewObject(entity: "A", number: Int64(i + 2))]) }
      try graph.perform { try $0.delete([named("A/\(i + 2)")]) }
    }
    #expect(graph.context.pending.count < 3000 && graph.context.netChange.isEmpty)
    for i in 0..<TestLength.count(3300, long: 5000) {
      try graph.perform { try $0.set("A/1", "n", .integer(Int64(i))) }
    }
    #expect(graph.context.pending.count < 3000)
    #expect(graph.context.netChange.counts.updated == 1)
    let bare = graph.context.graph.model
    let more = try with("k", in: bare)
    for _ in 0..<TestLength.count(1600, long: 2000) {
      graph.context.setModel(more, "add")
      graph.context.setModel(bare, "drop")
    }
    #expect(graph.context.pending.count < 3000)
    #expect(graph.context.netChange.counts.updated == 1)
  }

  /// The same steps with the complete history and with few groups of it.
  @Test(
    "have the same net change as all groups", arguments: 1...UInt64(TestLength.count(4, long: 12)))
  func generated(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    var all = try graph(levels: 0)
    var few = try graph(levels: 1 + numbers.below(3))
    let start = all.context.graph
    for step in 0..<3500 {
      let (choice, which) = (numbers.below(10), Int64(1 + numbers.below(6)))
      for place in [0, 1] {
        var graph = place == 0 ? all : few
        try? take(choice, which, step, in: &graph)
        if place == 0 { all = graph } else { few = graph }
      }
    }
    #expect(few.context.pending.count < all.context.pending.count)
    #expect(content(few.context.graph) == content(all.context.graph))
    #expect(content(few.context.savedGraph) == content(start))
    #expect(
      try content(start.admitting(few.context.netChange))
        == content(start.admitting(all.context.netChange)))
    #expect(few.context.hasChanges == all.context.hasChanges)
    few.context.rollback()
    #expect(content(few.context.graph) == content(start))
  }

  private func take(
    _ choice: Int, _ which: Int64, _ step: Int, in graph: inout SmallGraph
  ) throws {
    switch choice {
    case 0, 1: try graph.perform { _ = try $0.insert([NewObject(entity: "A")]) }
    case 2: try graph.perform { _ = try $0.insert([NewObject(entity: "B", number: 100 + which)]) }
    case 3: try graph.perform { try $0.delete([named("B/\(100 + which)")]) }
    case 4: try graph.perform { try $0.delete([named("A/\(which)")]) }
    case 5: try graph.perform { try $0.set("A/\(which)", "a", .null) }
    case 6:
      guard step % 3 == 0 else { return }
      let bare = graph.context.graph.model
      graph.context.setModel(try with("k", in: bare), "add")
      graph.context.setModel(bare, "drop")
    default: try graph.perform { try $0.set("A/\(which)", "n", .integer(which)) }
    }
  }

  /// Returns every object with its values.
  private func content(_ graph: Graph) -> [String] {
    graph.model.entities.flatMap { entity in
      graph.objectIDs(of: entity.name).map { id in
        let keys = graph.model.keys(of: id.entity).filter { $0 != "objectID" }
        return "\(id) " + keys.map { "\($0): \(graph.value($0, of: id))" }.joined(separator: ", ")
      }
    }.sorted()
  }
}

extension Graph {
  fileprivate func admitting(_ change: ChangeSet) throws -> Graph {
    var graph = self
    try graph.admit(change)
    return graph
  }
}
