import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraValues
import Testing

/// A context with two entities and the mutually inverse relationships `a` and `b`.
private struct Pair {
  var context: GraphContext

  init(_ a: Relationship, _ b: Relationship) {
    context = GraphContext(
      Graph(
        model: Model(entities: [
          Entity(name: "A", relationships: [a]), Entity(name: "B", relationships: [b]),
        ])))
  }

  mutating func insert(_ entity: String, _ key: String? = nil, _ targets: Int64...) throws {
    let other = entity == "A" ? "B" : "A"
    let graph = context.snapshot
    let objects = targets.compactMap { number -> Value? in
      guard let place = graph.graph.find(ObjectID(entity: other, root: other, number: number))
      else { return nil }
      return .object(ObjectReference(graph.object(table: place.table, row: place.row)))
    }
    let values = key.map { [NewValue($0, .list(objects))] } ?? []
    _ = try context.insert([NewObject(entity: entity, values: values)])
  }

  /// Returns the numbers that a key leads to, for each object.
  func links(_ entity: String, _ key: String) -> [[Int]] {
    let graph = context.graph
    guard let place = graph.place(of: entity),
      let slot = graph.tables[place.table].layout.slots[place.code][key]
    else { return [] }
    return (0..<graph.tables[place.table].count).map { row in
      graph.rows(slot, place.table, row).map { $0 + 1 }
    }
  }
}

private func to(_ destination: String, _ name: String, many: Bool, ordered: Bool = false)
  -> Relationship
{
  Relationship(
    name: name, destination: destination, isToMany: many, isOrdered: ordered,
    inverse: name == "a" ? "b" : "a")
}

@Suite struct LinkTests {
  @Test func oneToOneIsTakenFromItsOldOwner() throws {
    var pair = Pair(to("B", "a", many: false), to("A", "b", many: false))
    try pair.insert("B")
    try pair.insert("A", "a", 1)
    try pair.insert("A", "a", 1)
    #expect(pair.links("A", "a") == [[], [1]])
    #expect(pair.links("B", "b") == [[2]])
    try pair.insert("B", "b", 2)
    #expect(pair.links("A", "a") == [[], [2]])
    #expect(pair.links("B", "b") == [[], [2]])
  }

  @Test(arguments: [false, true]) func oneToManyIsTakenFromItsOldOwner(_ isOrdered: Bool) throws {
    var pair = Pair(to("B", "a", many: true, ordered: isOrdered), to("A", "b", many: false))
    for _ in 0..<3 { try pair.insert("B") }
    try pair.insert("A", "a", 3, 1)
    #expect(pair.links("A", "a") == [isOrdered ? [3, 1] : [1, 3]])
    try pair.insert("A", "a", 2, 3)
    #expect(pair.links("A", "a") == [[1], [2, 3]])
    #expect(pair.links("B", "b") == [[1], [2], [2]])
    try pair.insert("B", "b", 1)
    #expect(pair.links("A", "a") == [[1, 4], [2, 3]])
  }

  @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
  func manyToManyIsKeptAtBothEnds(_ first: Bool, _ second: Bool) throws {
    var pair = Pair(
      to("B", "a", many: true, ordered: first), to("A", "b", many: true, ordered: second))
    for _ in 0..<2 { try pair.insert("B") }
    try pair.insert("A", "a", 2, 1)
    try pair.insert("A", "a", 2)
    try pair.insert("B", "b", 2, 1)
    #expect(pair.links("A", "a").map(Set.init) == [[1, 2, 3], [2, 3]])
    #expect(pair.links("B", "b").map(Set.init) == [[1], [1, 2], [1, 2]])
    if first { #expect(pair.links("A", "a")[0].prefix(2) == [2, 1]) }
    if second { #expect(pair.links("B", "b")[2] == [2, 1]) }
  }

  @Test func unorderedLinksHaveTheOrderOfObjectIDsAlsoIfTheRowsDoNot() throws {
    var graph = SmallGraph(many: (true, true))
    let first = try graph.perform { editor in
      _ = try editor.insert([
        NewObject(entity: "B", number: 9), NewObject(entity: "B", number: 3),
        NewObject(entity: "A", values: [NewValue("a", objects("B/9", "B/3"))]),
      ])
    }
    let second = try graph.perform { editor in
      _ = try editor.insert([
        NewObject(entity: "A", values: [NewValue("a", objects("B/9", "B/3"))])
      ])
    }
    for change in [first, second] {
      let batch = try #require(change.inserted.first { $0.entity == "A" })
      let column = try #require(batch.columns.first { $0.key == "a" })
      #expect(column.new[0].numbers == [3, 9])
    }
    #expect(graph.links("A/1", "a") == [3, 9] && graph.links("A/2", "a") == [3, 9])
  }

  @Test func itsOwnInverseIsKeptAtBothEnds() throws {
    for isToMany in [false, true] {
      let person = Entity(
        name: "A",
        relationships: [
          Relationship(name: "a", destination: "A", isToMany: isToMany, inverse: "a")
        ])
      var context = GraphContext(Graph(model: Model(entities: [person])))
      _ = try context.insert([NewObject(entity: "A")])
      for _ in 0..<2 {
        let first = Value.object(ObjectReference(context.snapshot.object(table: 0, row: 0)))
        _ = try context.insert([NewObject(entity: "A", values: [NewValue("a", first)])])
      }
      let graph = context.graph
      let slot = try #require(graph.tables[0].layout.slots[0]["a"])
      let links = (0..<3).map { graph.rows(slot, 0, $0) }
      #expect(links == (isToMany ? [[1, 2], [0], [0]] : [[2], [], [0]]))
    }
  }
}

@Suite struct ManyLinksTests {
  /// Returns objects of A that link to all objects of B in one change; with `twice`, further ones
  /// then link to the same objects.
  private func linked(_ count: Int, twice: Bool) throws -> Graph {
    let model = Model(entities: [
      Entity(name: "A", relationships: [to("B", "a", many: false)]),
      Entity(name: "B", relationships: [to("A", "b", many: false)]),
    ])
    var context = GraphContext(Graph(model: model))
    _ = try context.insert((0..<count).map { _ in NewObject(entity: "B") })
    for _ in 0..<(twice ? 2 : 1) {
      let snapshot = context.snapshot
      let objects = (0..<count).map { row in
        let target = Value.object(ObjectReference(snapshot.object(table: 1, row: row)))
        return NewObject(entity: "A", values: [NewValue("a", target)])
      }
      _ = try context.insert(objects)
    }
    return context.graph
  }

  @Test(arguments: [false, true]) func ofOneChangeAreKeptAtBothEnds(_ twice: Bool) throws {
    let graph = try linked(300, twice: twice)
    let slots = try ["a", "b"].enumerated().map { table, key in
      try #require(graph.tables[table].layout.slots[0][key])
    }
    for row in 0..<300 {
      let owner = twice ? row + 300 : row
      #expect(graph.rows(slots[0], 0, owner) == [row] && graph.rows(slots[1], 1, row) == [owner])
      if twice { #expect(graph.rows(slots[0], 0, row) == []) }
    }
  }

  @Test func ofOneTargetGoToTheLastOfThem() throws {
    let model = Model(entities: [
      Entity(name: "A", relationships: [to("B", "a", many: false)]),
      Entity(name: "B", relationships: [to("A", "b", many: false)]),
    ])
    var context = GraphContext(Graph(model: model))
    _ = try context.insert([NewObject(entity: "B")])
    let target = Value.object(ObjectReference(context.snapshot.object(table: 1, row: 0)))
    _ = try context.insert(
      (0..<3).map { _ in NewObject(entity: "A", values: [NewValue("a", target)]) })
    let slot = try #require(context.graph.tables[0].layout.slots[0]["a"])
    #expect((0..<3).map { context.graph.rows(slot, 0, $0) } == [[], [], [0]])
  }

  @Test func ofAPairsOwnInverseLeaveNoOneBehind() throws {
    let person = Entity(
      name: "A", relationships: [Relationship(name: "a", destination: "A", inverse: "a")])
    var context = GraphContext(Graph(model: Model(entities: [person])))
    _ = try context.insert((0..<2).map { _ in NewObject(entity: "A") })
    let objects = (0..<2).map {
      Value.object(ObjectReference(context.snapshot.object(table: 0, row: $0)))
    }
    // In one change, the third and then the fourth link to the first, and the fifth to the second.
    _ = try context.insert(
      [0, 0, 1].map { NewObject(entity: "A", values: [NewValue("a", objects[$0])]) })
    let slot = try #require(context.graph.tables[0].layout.slots[0]["a"])
    #expect((0..<5).map { context.graph.rows(slot, 0, $0) } == [[3], [4], [], [0], [1]])
  }
}

@Suite struct ModelChangeTests {
  private let item = Entity(
    name: "Item", attributes: [Attribute(name: "title", type: .string, isOptional: true)],
    relationships: [Relationship(name: "next", destination: "Item")])

  @Test func objectsAndLinksStayWhenTablesAreNumberedAnew() throws {
    var context = GraphContext(Graph(model: Model(entities: [item])))
    _ = try context.insert([NewObject(entity: "Item", values: [NewValue("title", "x")])])
    let first = Value.object(ObjectReference(context.snapshot.object(table: 0, row: 0)))
    _ = try context.insert([NewObject(entity: "Item", values: [NewValue("next", first)])])
    var changed = item
    changed.attributes.append(Attribute(name: "n", type: .integer, defaultValue: 7))
    changed.attributes.append(
      Attribute(name: "m", type: .integer, isOptional: true, defaultValue: 7))
    context.setModel(Model(entities: [Entity(name: "New"), changed]), "entity New")
    let graph = context.graph
    #expect(graph.place(of: "Item")?.table == 1)
    let slot = try #require(graph.tables[1].layout.slots[0]["next"])
    #expect(graph.destination(slot) == 1 && graph.rows(slot, 1, 1) == [0])
    let object = context.snapshot.object(table: 1, row: 0)
    #expect(try object.value(forKey: "title") == "x")
    #expect(try object.value(forKey: "n") == 7 && object.value(forKey: "m").isNull)
    guard
      case .toOne(destination: 1)? = graph.tables[1].columns.first(where: {
        if case .toOne = $0.kind { true } else { false }
      })?.kind
    else { Issue.record("the column leads to another table"); return }
  }

  @Test func aNewNumberIsNeverGivenTwice() throws {
    var context = GraphContext(Graph(model: Model(entities: [item])))
    _ = try context.insert([NewObject(entity: "Item", number: 9), NewObject(entity: "Item")])
    #expect((0..<2).map { context.graph.tables[0].identifiers[$0] } == [9, 10])
    #expect(throws: Diagnostic.self) {
      _ = try context.insert([NewObject(entity: "Item"), NewObject(entity: "Item", number: 9)])
    }
    #expect(context.graph.tables[0].count == 2)
    #expect(throws: Diagnostic.self) {
      _ = try context.insert([NewObject(entity: "Item", number: .max)])
    }
  }
}
