import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@Suite("Successive edits")
struct EditingTests {
  @Test("an old state does not use the structures of the new one")
  func oldStates() throws {
    var graph = SmallGraph()
    try graph.perform { editor in
      for name in ["B/1", "B/2", "A/1"] { try editor.insert(name) }
      try editor.set("A/1", "a", objects("B/1"))
    }
    let old = graph.context.graph
    try graph.perform { try $0.set("A/1", "a", objects("B/2")) }
    // The inverse of the old state is computed only now, after the change.
    #expect(old.links("B/1", "b") == [1] && old.links("B/2", "b") == [])
    #expect(graph.links("B/1", "b") == [] && graph.links("B/2", "b") == [1])
  }

  @Test("a given number leaves numbers for the objects after it")
  func greatestNumbers() throws {
    var graph = SmallGraph()
    let greatest = ObjectID.greatestGivenNumber
    for number in [greatest + 1, ObjectID.greatestNumber, .max, 0] {
      let error = #expect(throws: Diagnostic.self) {
        try graph.perform { _ = try $0.insert([NewObject(entity: "A", number: number)]) }
      }
      #expect(error?.facts.sentence.contains("\(number) is not an objectID") == true)
    }
    try graph.perform { _ = try $0.insert([NewObject(entity: "A", number: greatest)]) }
    try graph.perform { _ = try $0.insert([NewObject(entity: "A")]) }
    #expect(graph.isThere("A/\(greatest + 1)"))
  }

  @Test("an object after one with the greatest number is refused, with the reason")
  func noNumberLeft() throws {
    var graph = Graph(model: SmallGraph().context.graph.model)
    let last = ObjectBatch(entity: "A", numbers: [ObjectID.greatestNumber])
    try graph.admit(ChangeSet(inserted: [last]))
    var small = SmallGraph(context: GraphContext(graph))
    let error = #expect(throws: Diagnostic.self) {
      try small.perform { _ = try $0.insert([NewObject(entity: "A")]) }
    }
    #expect(error?.facts.sentence.hasPrefix("a new A would need an objectID above") == true)
  }

  @Test("an object may be deleted and inserted again in one change")
  func deletedAndInserted() throws {
    var graph = SmallGraph(many: (true, true), ordered: true)
    try graph.perform { editor in
      try editor.insert("B/1")
      try editor.insert("A/1", NewValue("n", 1), NewValue("a", objects("B/1")))
    }
    try graph.perform { editor in
      try editor.delete("A/1")
      try editor.insert("A/1")
    }
    #expect(graph.isThere("A/1"))
    #expect(graph.links("A/1", "a") == [] && graph.links("B/1", "b") == [])
    #expect(try graph.context.undo() != nil)
    #expect(graph.links("A/1", "a") == [1] && graph.links("B/1", "b") == [1])
  }

  @Test("insertion and deletion in one change leave nothing, and the number is not reused")
  func cameAndWent() throws {
    var graph = SmallGraph(rules: (.nullify, .none))
    try graph.perform { try $0.insert("A/1") }
    try graph.perform { editor in
      try editor.insert("B/1", NewValue("b", objects("A/1")))
      try editor.delete("B/1")
      #expect(throws: Diagnostic.self) { try editor.set("A/1", "a", objects("B/1")) }
      try editor.set("A/1", "n", 5)
    }
    #expect(graph.links("A/1", "a") == [] && !graph.isThere("B/1"))
    #expect(try graph.context.insert([NewObject(entity: "B")]).map(\.number) == [2])
  }

  @Test("an object has no links of a deleted object of another entity with its number")
  func anotherEntity() throws {
    var graph = SmallGraph([
      Entity(name: "A"),
      Entity(
        name: "A1", parent: "A",
        relationships: [Relationship(name: "a", destination: "B", inverse: "b")]),
      Entity(
        name: "B",
        relationships: [
          Relationship(name: "b", destination: "A1", isToMany: true, inverse: "a")
        ]),
    ])
    try graph.perform { editor in
      try editor.insert("B/1")
      try editor.insert("A1/1", NewValue("a", objects("B/1")))
    }
    try graph.perform { try $0.delete("A/1") }
    try graph.perform { try $0.insert("A/1") }
    let fresh = Graph(
      model: graph.context.graph.model, layout: graph.context.graph.layout,
      tables: graph.context.graph.tables.map { table in
        var table = table
        table.derived = DerivedData()
        return table
      })
    #expect(fresh.links("B/1", "b") == [])
  }

  @Test("objects with equal numbers and links are found, also with an index")
  func uniqueTogether() throws {
    var graph = SmallGraph([
      Entity(
        name: "A", attributes: [Attribute(name: "n", type: .integer, isOptional: true)],
        relationships: [Relationship(name: "a", destination: "B", inverse: "b")],
        uniquenessConstraints: [["n", "a"]]),
      Entity(
        name: "B",
        relationships: [Relationship(name: "b", destination: "A", isToMany: true, inverse: "a")]),
    ])
    try graph.perform { editor in
      try editor.insert("B/1")
      for name in ["A/1", "A/2"] { try editor.insert(name, NewValue("n", 1)) }
    }
    #expect(graph.failures == [])
    try graph.perform { editor in
      for name in ["A/1", "A/2"] { try editor.set(name, "a", objects("B/1")) }
    }
    #expect(graph.failures == ["A/1.n, a unique", "A/2.n, a unique"])
  }

  @Test("numbers of a scratch context are not reused")
  func scratchNumbers() throws {
    var graph = SmallGraph()
    var scratch = GraphContext(graph.context.graph)
    _ = try scratch.insert([NewObject(entity: "A")])
    _ = try scratch.perform("delete", in: SmallGraph.evaluation) { try $0.delete("A/1") }
    graph.context.adopt(scratch, "scratch")
    #expect(!graph.context.hasChanges)
    #expect(try graph.context.insert([NewObject(entity: "A")]).map(\.number) == [2])
  }

  @Test("a deletion conflicts with a link that was saved meanwhile")
  func conflictOfEmptyKey() throws {
    var graph = SmallGraph()
    try graph.perform { editor in
      try editor.insert("A/1")
      try editor.insert("B/1")
    }
    var other = graph
    let deletion = try other.perform { try $0.delete("A/1") }
    #expect(graph.context.graph.conflicts(with: deletion).isEmpty)
    try graph.perform { try $0.set("A/1", "a", objects("B/1")) }
    #expect(graph.context.graph.conflicts(with: deletion).map(\.kind) == [.changed])
  }
}

@Suite("Links to deleted objects, which deny and none keep until the save")
struct DanglingTests {
  /// Returns a graph in which A/1 links to B/1, which is then deleted with a rule.
  private func graph(
    _ rule: DeleteRule, many: Bool = false, derived: Bool = false
  ) throws -> SmallGraph {
    var graph = SmallGraph(many: (many, true), ordered: many, rules: (.nullify, rule))
    try graph.perform { editor in
      try editor.insert("B/1")
      try editor.insert("A/1", NewValue("a", objects("B/1")))
    }
    graph.context.didSave()
    try graph.perform { try $0.delete("B/1") }
    return graph
  }

  @Test("do not lead to a new object of the number", arguments: [false, true])
  func newObject(many: Bool) throws {
    var graph = try graph(.none, many: many)
    try graph.perform { try $0.insert("B/1") }
    #expect(graph.links("A/1", "a") == [] && graph.links("B/1", "b") == [])
    for _ in 0..<2 { _ = try graph.context.undo() }
    #expect(graph.links("A/1", "a") == [1] && graph.links("B/1", "b") == [1])
  }

  @Test("revive no object when a cascade over them is undone")
  func cascade() throws {
    var graph = SmallGraph(rules: (.cascade, .none))
    try graph.perform { editor in
      try editor.insert("B/1")
      try editor.insert("A/1", NewValue("a", objects("B/1")))
    }
    try graph.perform { try $0.delete("B/1") }
    let change = try graph.perform { try $0.delete("A/1") }
    #expect(change.counts == (0, 0, 1))
    _ = try graph.context.undo()
    #expect(!graph.isThere("B/1"))
  }

  @Test("are found when an undo restores them after the save")
  func backAfterTheSave() throws {
    var graph = try graph(.none)
    #expect(graph.failures == ["A/1.a dangling"])
    try graph.perform { try $0.delete("A/1") }
    #expect(graph.failures == [])
    graph.context.didSave()
    _ = try graph.context.undo()
    #expect(graph.links("A/1", "a") == [])
    #expect(graph.failures == ["A/1.a dangling"])
  }

  @Test("are found if the link and the deletion are in one change")
  func ofOneChange() throws {
    let friend = Relationship(name: "a", destination: "A", inverse: "a", deleteRule: .none)
    var graph = SmallGraph([Entity(name: "A", relationships: [friend])])
    try graph.perform { for name in ["A/1", "A/2"] { try $0.insert(name) } }
    graph.context.didSave()
    try graph.perform { editor in
      try editor.set("A/1", "a", objects("A/2"))
      try editor.delete("A/2")
    }
    #expect(graph.failures == ["A/1.a dangling"])
  }

  @Test("are found if the object existed only in a scratch context")
  func backFromScratch() throws {
    var graph = SmallGraph(rules: (.nullify, .deny))
    try graph.perform { try $0.insert("A/1") }
    graph.context.didSave()
    var scratch = graph
    try scratch.perform { try $0.insert("B/1", NewValue("b", objects("A/1"))) }
    try scratch.perform { try $0.delete("B/1") }
    graph.context.adopt(scratch.context, "scratch")
    #expect(graph.failures == ["A/1.a dangling"])
  }

  @Test("are ignored by derived attributes, too")
  func derived() throws {
    let derived = Attribute(
      name: "d", type: .integer, isOptional: true, derivation: try ExpressionTree(parsing: "a.n"))
    var graph = SmallGraph([
      Entity(
        name: "A", attributes: [derived],
        relationships: [Relationship(name: "a", destination: "B", inverse: "b")]),
      Entity(
        name: "B", attributes: [Attribute(name: "n", type: .integer)],
        relationships: [
          Relationship(
            name: "b", destination: "A", isToMany: true, inverse: "a", deleteRule: .none)
        ]),
    ])
    try graph.perform { editor in
      try editor.insert("B/1", NewValue("n", 3))
      try editor.insert("A/1", NewValue("a", objects("B/1")))
    }
    let d = { (graph: SmallGraph) in
      try graph.context.snapshot.object(table: 0, row: 0).value(forKey: "d")
    }
    #expect(try d(graph) == 3)
    try graph.perform { try $0.delete("B/1") }
    #expect(try d(graph) == .null)
    _ = try graph.context.undo()
    #expect(try d(graph) == 3)
  }
}
