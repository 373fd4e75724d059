import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraGraph

@Suite("An object that both have deleted") struct RepeatedMergeTests {
  @Test("does not return with a redo and an undo")
  func redo() throws {
    var two = try TwoWriters()
    let (gone, kept) = (ObjectID(entity: "Item", number: 2), ObjectID(entity: "Item", number: 1))
    try TwoWriters.edit(&two.second) { try $0.delete([gone, kept]) }
    _ = try two.second.undo()
    try TwoWriters.edit(&two.first) { try $0.delete([gone]) }
    two.second.merge(try two.merged(), onto: two.first.graph)
    _ = try two.second.redo()
    #expect(two.second.graph.find(kept) == nil)
    _ = try two.second.undo()
    #expect(two.second.graph.find(kept) != nil && two.second.graph.find(gone) == nil)
    #expect(!two.second.hasChanges && two.second.netChange.isEmpty)
    _ = try two.second.redo()
    #expect(two.second.graph.find(kept) == nil && two.second.hasChanges)
  }

  @Test(
    "has a number that each of them can use for another object",
    arguments: [MergePolicy.error, .store, .memory])
  func number(policy: MergePolicy) throws {
    let model = Model(entities: [
      Entity(name: "Thing"), Entity(name: "Book", parent: "Thing"),
    ])
    var first = GraphContext(Graph(model: model))
    _ = try first.insert([NewObject(entity: "Book")])
    first.didSave()
    var second = first
    let replace = { (editor: inout GraphEditor) throws in
      try editor.delete([ObjectID(entity: "Book", root: "Thing", number: 1)])
      _ = try editor.insert([NewObject(entity: "Thing", number: 1)])
    }
    try TwoWriters.edit(&first, replace)
    try TwoWriters.edit(&second, replace)
    let merged = try second.merging(onto: first.graph, policy: policy, in: EvaluationContext())
    #expect(merged.conflicts.isEmpty && merged.settled.isEmpty)
    let things = (1...3).filter {
      merged.graph.find(ObjectID(entity: "Thing", root: "Thing", number: Int64($0))) != nil
    }
    #expect(things == [1, 2])
  }
}
