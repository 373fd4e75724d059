import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("Sorting")
struct SortTests {
  @Test("agrees with a plain sort of values, by any key", arguments: [21, 22, 23, 24] as [UInt64])
  func agrees(seed: UInt64) throws {
    // Every other world stores only the rows that have a value.
    let world = seed % 2 == 0 ? try World(seed: seed).sparsified : try World(seed: seed)
    var dice = Dice(seed)
    for _ in 0..<60 {
      let keys = (0...dice.below(2)).map { _ in dice.sortKey() }
      let limit = dice.chance(0.5) ? dice.below(40) : nil
      let offset = dice.chance(0.5) ? dice.below(20) : nil
      let found = try world.fetch("Item", sort: keys, limit: limit, offset: offset)
      let all = try world.plainlySorted("Item", keys).dropFirst(offset ?? 0)
      let expected = Array(limit.map { $0 == 0 ? all : all.prefix($0) } ?? all)
      #expect(
        found == expected, "seed \(seed): \(keys) limit \(limit ?? -1) offset \(offset ?? -1)")
    }
  }

  @Test(
    "agrees for texts with common beginnings, NUL at the end, great length, or null",
    arguments: [31, 32] as [UInt64])
  func words(seed: UInt64) throws {
    var dice = Dice(seed)
    var world = try World(seed: seed, items: 0)
    var context = GraphContext(world.snapshot.graph)
    let notes = (0..<2600).map { _ in dice.chance(0.1) ? nil : dice.longText() }
    _ = try context.insert(
      notes.map { note in
        var values = [NewValue("title", .string("x")), NewValue("done", .boolean(true))]
        values += note.map { [NewValue("note", .string($0))] } ?? []
        values.append(NewValue("count", .integer(Int64(dice.below(3)))))
        return NewObject(entity: "Item", values: values)
      })
    world.snapshot = context.snapshot
    for keys in [["note"], ["count", "note"], ["note", "count"], ["note", "objectID"]] {
      let trees = keys.map { SortTree(.key($0), isAscending: dice.chance(0.5)) }
      let plain = try world.plainlySorted("Item", trees)
      #expect(try world.fetch("Item", sort: trees) == plain, "seed \(seed): \(trees)")
      let page = try world.fetch("Item", sort: trees, limit: 20, offset: 500)
      #expect(page == Array(plain[500..<520]), "seed \(seed): a page of \(trees)")
      #expect(
        try world.request("Item", sort: trees).explanation(.objects).parts.last?.method
          == "by 64-bit words of keys")
    }
  }

  @Test(
    "agrees by keys that are gathered by code", arguments: [41, 42, 43] as [UInt64])
  func gatheredKeys(seed: UInt64) throws {
    var dice = Dice(seed)
    var world = try World(seed: seed, items: 40)
    var context = GraphContext(world.snapshot.graph)
    _ = try context.insert(
      (0..<4200).map { _ in
        var values = [NewValue("title", .string(dice.pick(["x", "Y", "y", "é"])))]
        if dice.chance(0.9) { values.append(NewValue("count", .integer(Int64(dice.below(40))))) }
        if seed != 42 || dice.chance(0.8) {
          let day = Int64(dice.below(900)) * 86_400_000_000
          values.append(NewValue("day", .date(Timestamp(microseconds: day))))
        }
        return NewObject(entity: "Item", values: values)
      })
    world.snapshot = context.snapshot
    let texts = [
      "month(day)", "day(day)", "count * count - 20 * count", "abs(count)",
      "TERNARY(count > 20, 1, 0)",
      "length(title) + count", "home.name", "lowercase(title)", "year(day) * 12 + count",
    ]
    var gathered = 0
    for _ in 0..<10 {
      let trees = try (0...dice.below(2)).map { _ in
        SortTree(
          try ExpressionTree(parsing: dice.pick(texts)), isAscending: dice.chance(0.5),
          nullsFirst: dice.chance(0.3) ? dice.chance(0.5) : nil)
      }
      let plain = try world.plainlySorted("Item", trees)
      #expect(try world.fetch("Item", sort: trees) == plain, "seed \(seed): \(trees)")
      let page = try world.fetch("Item", sort: trees, limit: 20, offset: 500)
      #expect(page == Array(plain[500..<520]), "seed \(seed): a page of \(trees)")
      let request = try world.request("Item", sort: trees)
      let first = request.sort[0].expression
      let rows = request.snapshot.graph.tables[request.place.table]
      let chunks = (0..<rows.chunkCount).map { rows.liveRows(inChunk: $0) }
      if request.gatherNode(first, chunks) != nil { gathered += 1 }
    }
    #expect(gathered > 0, "seed \(seed)")
  }

  @Test("orders digits by value in the natural order")
  func natural() throws {
    let keys = [SortTree(try ExpressionTree(parsing: "name"), isNatural: true, isAscending: false)]
    #expect(try World().fetch("Category", sort: keys) == [7, 6, 5, 4, 3, 2, 1])
  }

  @Test(
    "agrees in the order of a locale, including texts with odd scalars",
    arguments: [51, 52] as [UInt64])
  func collated(seed: UInt64) throws {
    var dice = Dice(seed)
    var world = try World(seed: seed, items: 0)
    var context = GraphContext(world.snapshot.graph)
    _ = try context.insert(
      (0..<700).map { _ in
        // For letters with several marks in both forms, Foundation's answers are not an order.
        let text = dice.pick(["", "é", "e\u{301}", "9", "10", "０９", "z", "ä", "a", "家", "アイ", "ｱｲ"])
        var values = [
          NewValue("title", .string("x" + text)), NewValue("done", .boolean(dice.chance(0.5))),
        ]
        if dice.chance(0.9) { values.append(NewValue("note", .string(text))) }
        return NewObject(entity: "Item", values: values)
      })
    world.snapshot = context.snapshot
    for (name, isNatural, options) in [
      ("note", true, []), ("title", false, [.localeSensitive]),
      ("note", false, [.localeSensitive, .caseInsensitive]),
      ("title", true, [.diacriticInsensitive]),
    ] as [(String, Bool, ComparisonOptions)] {
      for isAscending in [true, false] {
        let keys = [
          SortTree(
            .key(name), options: options, isNatural: isNatural, isAscending: isAscending)
        ]
        let plain = try world.plainlySorted("Item", keys)
        #expect(try world.fetch("Item", sort: keys) == plain, "seed \(seed): \(keys)")
        let page = try world.fetch("Item", sort: keys, limit: 20, offset: 30)
        #expect(page == Array(plain[30..<50]), "seed \(seed): a page of \(keys)")
      }
    }
  }

  @Test("refuses a to-many relationship as a key")
  func toMany() throws {
    let keys = [SortTree(try ExpressionTree(parsing: "tags.name"))]
    #expect(throws: (any Error).self) { try World(items: 3).fetch("Item", sort: keys) }
  }

  @Test("limit 0 is no limit, and an offset after the end finds nothing")
  func limits() throws {
    let world = try World(items: 30)
    #expect(try world.fetch("Item", limit: 0).count == 30)
    #expect(try world.fetch("Item", offset: 31).isEmpty)
    #expect(try world.fetch("Item", limit: 4, offset: 28) == [29, 30])
  }
}

extension World {
  /// Reads and compares all values one by one.
  func plainlySorted(_ entity: String, _ keys: [SortTree]) throws -> [Int64] {
    let result = try request(entity).run()
    let rows = try (0..<result.count).map { i in
      let object = result.object(i)
      return (
        id: object.objectID?.number ?? 0,
        values: try keys.map {
          try $0.expression.evaluate(
            on: .object(ObjectReference(object)), in: environment.evaluation)
        }
      )
    }
    return rows.sorted { a, b in
      for (i, key) in keys.enumerated() {
        let (x, y) = (a.values[i], b.values[i])
        if x.isNull != y.isNull { return x.isNull == key.putsNullsFirst }
        let order = x.isNull ? .same : key.ascendingOrder(x, y, locale: environment.locale)
        if order != .same { return key.isAscending ? order == .before : order == .after }
      }
      return a.id < b.id
    }.map(\.id)
  }
}

extension ExpressionTree {
  fileprivate static func key(_ name: String) -> ExpressionTree {
    ExpressionTree(.keyPath(KeyPathTree([KeyComponent(name)])))
  }
}

extension Dice {
  /// Returns a text that differs late from many others.
  fileprivate mutating func longText() -> String {
    let stem = pick(["", "が", "meeting with ", String(repeating: "a", count: 500), "meeting "])
    let rest = (0..<below(12)).map { _ in pick(["a", "b", "\0", "é", "𠮷", "\u{FFFD}"]) }
    return stem + rest.joined()
  }

  mutating func sortKey() -> SortTree {
    let path = pick([
      "title", "kind", "code", "count", "price", "day", "done", "exact", "objectID", "home.name",
      "note",
    ])
    return SortTree(
      ExpressionTree(
        .keyPath(KeyPathTree(path.split(separator: ".").map { KeyComponent(String($0)) }))),
      isAscending: chance(0.5), nullsFirst: pick([nil, true, false]))
  }
}

@Suite("Entities in a fetch")
struct EntityTests {
  @Test("a parent's fetch includes the objects of its subentities, a child's only its own")
  func subentities() throws {
    let world = try World()
    let tasks = try world.fetch("Task")
    #expect(tasks == (try world.fetch("Item", where: "entity.name == \"Task\"")))
    #expect(try world.fetch("Base").count == 300)
    #expect(try world.fetch("Task", where: "objectID == \(tasks[0])") == [tasks[0]])
    let item = try #require(try world.fetch("Item", where: "entity.name == \"Item\"").first)
    #expect(try world.fetch("Task", where: "objectID == \(item)").isEmpty)
  }

  @Test("an entity's name is a text like any other")
  func names() throws {
    let world = try World()
    for text in [
      "entity.name CONTAINS \"as\"", "entity.name == kind", "home.entity.name == \"Category\"",
      "length(entity.name) > 4", "entity.name IN {\"Task\", \"x\"}",
      "lowercase(entity.name) < title",
    ] {
      #expect(try world.check("Item", text, 0), "\(text)")
      #expect(!(try world.request("Item", where: text).plan.filter.asksReference), "\(text)")
    }
    let tree = try World.parseExpression("entity.name")
    try world.checkShown(tree, world.evaluated(tree, "Item"), of: "Item", "entity.name")
    let request = try World.grouped("count(SELF)", of: "Item", by: "entity.name")
      .bound(to: world.snapshot, world.environment)
    let values = try request.valuesOfFirstAggregate()
    #expect(values.engine == values.evaluator)
    #expect(values.engine.count == 2)
  }

  @Test("objects are found by literal, number and SELF")
  func objects() throws {
    let world = try World(items: 20)
    for text in [
      "objectID == 7", "objectID == Item/7", "SELF == Item/7", "7 == objectID", "objectID IN {7}",
    ] {
      #expect(try world.fetch("Item", where: text) == [7], "\(text)")
    }
    #expect(try world.fetch("Item", where: "objectID == Item/99").isEmpty)
    #expect(try world.fetch("Item", where: "objectID BETWEEN {3, 5}") == [3, 4, 5])
  }
}
