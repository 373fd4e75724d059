import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraValues
import Testing

@testable import KuraFetch

/// Known faults of fetched results controllers.
@Suite("A watched fetch")
struct WatchedFaultTests {
  private var world: WatchedWorld

  init() throws {
    world = try WatchedWorld()
    _ = try world.events { editor in
      try editor.insert("Category/1", ["name": "a"])
      try editor.insert("Category/2", ["name": "b"])
      for n in 1...4 {
        try editor.insert(
          "Item/\(n)",
          [
            "n": .integer(Int64(n)), "title": .string("t\(n)"),
            "category": one("Category/\(n < 3 ? 1 : 2)"), "done": .boolean(n != 4),
          ])
      }
    }
  }

  @Test("reports an update if the order stays, and no move from a place to itself")
  mutating func updateInPlace() throws {
    try world.watch("Item sort n")
    #expect(
      try world.events { try $0.set("Item/2", "title", "x") } == ["update Item/2 0.1 title"])
    // A key of the order gets an equal value.
    try world.watch("Item sort n desc")
    let same = try world.events { try $0.set("Item/4", "n", 9) }
    #expect(same == ["update Item/4 0.3 n"])
  }

  @Test("moves the fewest objects if two change places")
  mutating func exchange() throws {
    try world.watch("Item sort n")
    let events = try world.events { editor in
      try editor.set("Item/1", "n", 2)
      try editor.set("Item/2", "n", 1)
    }
    #expect(events == ["move Item/1 0.0 > 0.1 n", "update Item/2 0.0 n"])
    let far = try world.events { editor in
      try editor.set("Item/2", "n", 4)
      try editor.set("Item/4", "n", 1)
    }
    #expect(far == ["move Item/4 0.3 > 0.0 n", "move Item/2 0.0 > 0.3 n"])
  }

  @Test("reports nothing if a value is set to its previous value")
  mutating func sameValue() throws {
    try world.watch("Item sort n")
    #expect(try world.events { try $0.set("Item/2", "title", "t2") } == [])
  }

  @Test("reports one move with its keys if an object moves and changes")
  mutating func moveWithKeys() throws {
    try world.watch("Item sort n")
    let events = try world.events { editor in
      try editor.set("Item/1", "n", 9)
      try editor.set("Item/1", "title", "z")
    }
    #expect(events == ["move Item/1 0.0 > 0.3 n title"])
  }

  @Test("keeps a deletion and an update at the same place apart")
  mutating func deletionAndUpdate() throws {
    try world.watch("Item sort n")
    let events = try world.events { editor in
      try editor.delete([id("Item/2")])
      try editor.set("Item/3", "title", "now at 1")
    }
    #expect(events == ["delete Item/2 0.1", "update Item/3 0.1 title"])
  }

  @Test("reports sections that appear and disappear with their first and last object")
  mutating func sections() throws {
    try world.watch("Item sort category.name, n section by category.name")
    _ = try world.events { try $0.delete([id("Item/4")]) }
    #expect(
      try world.events { try $0.set("Item/3", "category", one("Category/1")) }
        == ["section delete \"b\" 1", "move Item/3 1.0 > 0.2 category"])
    #expect(
      try world.events { try $0.set("Item/1", "category", one("Category/2")) }
        == ["section insert \"b\" 1", "move Item/1 0.0 > 1.0 category"])
  }

  @Test("reports sections that change places")
  mutating func sectionsChangePlaces() throws {
    try world.watch("Item sort category.name, n section by category")
    _ = try world.events { try $0.delete([id("Item/4")]) }
    let events = try world.events { editor in
      try editor.set("Category/1", "name", "b")
      try editor.set("Category/2", "name", "a")
    }
    #expect(
      events == [
        "section delete Category/2 1", "section insert Category/2 0", "move Item/3 1.0 > 0.0",
      ])
  }

  @Test("sees what a path of the predicate, ANY, SUBQUERY, an aggregate or a derivation reads")
  mutating func paths() throws {
    for fetch in [
      "Item where category.name == \"b\" sort n",
      "Category where ANY items.title == \"new\"",
      "Category where SUBQUERY(items, $i, $i.n > 10).@count > 0",
      "Category where items.@sum.n > 20 sort name", "Category where count == 3",
      "Item sort category.name desc, n",
    ] { try world.watch(fetch) }
    _ = try world.events { try $0.set("Category/1", "name", "b") }
    #expect(world.watchers.changes[0].words == ["insert Item/1 0.0", "insert Item/2 0.1"])
    #expect(
      world.watchers.changes[5].words == ["move Item/1 0.2 > 0.0", "move Item/2 0.3 > 0.1"])
    _ = try world.events { editor in
      try editor.set("Item/3", "title", "new")
      try editor.set("Item/3", "n", 30)
      try editor.insert("Item/9", ["category": one("Category/2")])
    }
    for fetch in 1...4 {
      #expect(world.watchers.changes[fetch].words == ["insert Category/2 0.0"], "\(fetch)")
    }
  }

  @Test("reports objects that move into or out of an offset and limit")
  mutating func windows() throws {
    try world.watch("Item sort n offset 1 limit 2")
    #expect(
      try world.events { try $0.insert("Item/9", ["n": 0]) }
        == ["delete Item/3 0.1", "insert Item/1 0.0"])
    #expect(
      try world.events { try $0.delete([id("Item/1")]) }
        == ["delete Item/1 0.0", "insert Item/3 0.1"])
    #expect(
      try world.events { try $0.set("Item/9", "n", 9) }
        == ["delete Item/2 0.0", "insert Item/4 0.1"])
  }

  @Test("reports nothing about objects that are inserted and deleted in one step")
  mutating func comeAndGone() throws {
    try world.watch("Item sort n")
    let events = try world.events { editor in
      try editor.insert("Item/9", ["n": 0])
      try editor.delete([id("Item/9")])
    }
    #expect(events == [])
  }

  @Test("ends with a reason when the model no longer has its keys")
  mutating func modelChange() throws {
    try world.watch("Tag where name == \"x\"")
    try world.watch("Item sort n")
    try world.context.drop(entity: "Tag", "drop entity Tag", in: WatchedWorld.rules)
    guard case .failed(let reason)? = world.watchers.fetches[0].end else {
      Issue.record("not ended")
      return
    }
    #expect(reason.facts.sentence == "there is no entity \"Tag\"")
    #expect(world.watchers.fetches[1].end == nil)
    #expect(
      try world.events { try $0.insert("Item/9", ["n": 0]) } == []
        && world.watchers.changes[1].words
          == ["insert Item/9 0.0"]
    )
  }

  @Test("reports the changes of a step that changes the model too")
  mutating func modelAndValues() throws {
    try world.watch("Item sort n")
    try world.watch("Item select category.name sort n")
    try world.watch("Item sort title limit 1")
    try world.watch("Category sort name")
    let before = world.context.graph
    var model = before.model
    model.define(Entity(name: "Note"))
    var other = GraphContext(before)
    other.setModel(model, "alter")
    _ = try other.perform("edit", in: WatchedWorld.rules) { editor in
      try editor.set("Item/2", "title", "x")
      try editor.set("Category/2", "name", "c")
      try editor.set("Item/4", "category", one("Category/1"))
      try editor.delete([id("Item/3")])
    }
    world.context.adopt(other, "group")
    let told = world.watchers.changes.map(\.words)
    #expect(
      told[0] == [
        "delete Item/3 0.2", "update Item/2 0.1 title", "update Item/4 0.2 category",
      ])
    #expect(told[1] == ["delete Item/3 0.2", "update Item/4 0.2 category"])
    #expect(told[2] == [])
    #expect(
      told[3] == ["update Category/1 0.0 count items", "update Category/2 0.1 count items name"])
    _ = try world.context.undo()
    #expect(
      world.watchers.changes[0].words == [
        "insert Item/3 0.2", "update Item/2 0.1 title", "update Item/4 0.3 category",
      ])
  }

  @Test("reports a value that a change of type has altered, and no added or removed key")
  mutating func typeChange() throws {
    try world.watch("Item sort title")
    var model = world.context.graph.model
    var item = try #require(model["Item"])
    item.attributes.removeAll { $0.name == "n" || $0.name == "done" }
    item.attributes.append(Attribute(name: "n", type: .string, isOptional: true))
    item.attributes.append(Attribute(name: "isDone", type: .boolean, defaultValue: .boolean(true)))
    model.define(item)
    world.context.setModel(model, "alter")
    #expect(
      world.watchers.changes[0].words == (1...4).map { "update Item/\($0) 0.\($0 - 1) n" })
  }

  @Test("reports an update only if a value of the selection has changed")
  mutating func selection() throws {
    try world.watch("Item select title, n * 2 as twice, category.name sort title")
    #expect(try world.events { try $0.set("Item/2", "done", false) } == [])
    #expect(try world.events { try $0.set("Item/2", "n", 7) } == ["update Item/2 0.1 n"])
    #expect(
      try world.events { try $0.set("Category/1", "name", "z") } == [
        "update Item/1 0.0 category.name", "update Item/2 0.1 category.name",
      ])
  }

  @Test("reports what others have saved as one step")
  mutating func others() throws {
    world.context.didSave()
    try world.watch("Item where done == YES sort n")
    _ = try world.events { try $0.set("Item/4", "done", true) }
    var others = GraphContext(world.context.savedGraph)
    _ = try others.perform("others", in: WatchedWorld.rules) { editor in
      try editor.delete([id("Item/1")])
      try editor.insert("Item/9", ["n": 0, "done": true])
    }
    let merged = try world.context.merging(
      onto: others.graph, policy: .store, in: WatchedWorld.rules)
    world.context.merge(merged, onto: others.graph)
    #expect(world.watchers.changes[0].words == ["delete Item/1 0.0", "insert Item/9 0.0"])
    #expect(
      world.watchers.fetches[0].objects.map(\.description) == [
        "Item/9", "Item/2", "Item/3", "Item/4",
      ])
  }

  @Test("ends if a heading is repeated, as the fetch would fail")
  mutating func brokenSection() throws {
    try world.watch("Item sort n section by done")
    #expect(try world.events { try $0.set("Item/2", "done", false) } == [])
    guard case .failed(let reason)? = world.watchers.fetches[0].end else {
      Issue.record("not ended")
      return
    }
    #expect(reason.facts.sentence.contains("appears twice"))
  }

  @Test("gives its objects and sections, and the place of each")
  mutating func answer() throws {
    try world.watch("Item sort category.name, n section by category.name")
    let watched = world.watchers.fetches[0]
    #expect(watched.count == 4)
    #expect(watched.sections?.map(\.count) == [2, 2])
    #expect(watched.object(at: ResultsPlace(section: 1, row: 1)) == id("Item/4"))
    #expect(watched.object(at: ResultsPlace(section: 1, row: 2)) == nil)
    #expect(watched.place(of: id("Item/3")) == ResultsPlace(section: 1, row: 0))
    #expect(watched.place(of: id("Category/1")) == nil)
  }

  @Test("keeps no state of the graph: a step changes the chunks in place")
  mutating func keepsNothing() throws {
    try world.watch("Item where category == Category/1 sort category section by category")
    try world.watch("Item select category, count(SELF) as c group by category")
    let before = world.context.graph.tables[1].columns[0].chunks.withUnsafeBufferPointer {
      UInt(bitPattern: $0.baseAddress)
    }
    _ = try world.events { try $0.set("Item/1", "title", "x") }
    let after = world.context.graph.tables[1].columns[0].chunks.withUnsafeBufferPointer {
      UInt(bitPattern: $0.baseAddress)
    }
    #expect(before == after)
  }
}

@Suite("The results of a context's fetch")
struct FetchedResultsTests {
  /// The notifications that a closure got.
  final class ReceivedChanges: @unchecked Sendable {
    var events: [String] = []
    var ends = 0
  }

  @Test("are reported after each change until they are cancelled")
  func told() throws {
    var world = try WatchedWorld()
    let told = ReceivedChanges()
    let results = try world.context.results(
      of: try WatchedWorld.fetch("Tag sort name"), WatchedWorld.environment
    ) { change, end in
      told.events += change.words
      if end != nil { told.ends += 1 }
    }
    _ = try world.events { try $0.insert("Tag/1", ["name": "a"]) }
    #expect(told.events == ["insert Tag/1 0.0"] && results.answer.objects == [id("Tag/1")])
    #expect(results.read { $0.place(of: id("Tag/1")) } == ResultsPlace(row: 0))
    try world.context.drop(entity: "Tag", "drop", in: WatchedWorld.rules)
    _ = try world.context.undo()
    #expect(told.ends == 1 && results.answer.end != nil)
    world.context.stop(results)
    _ = try world.context.undo()
    #expect(told.events == ["insert Tag/1 0.0"])
  }
}
