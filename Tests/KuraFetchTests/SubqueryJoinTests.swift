import KuraGraph
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// SUBQUERYs over a nested fetch that compare with an outer value, with a hash table and without.
@Suite("Joins by value in a SUBQUERY")
struct SubqueryJoinTests {
  private static let keys = [
    "kind", "title", "code", "count", "price", "exact", "serial", "day", "done", "key", "link",
    "home", "home.name",
    "home.parent", "SELF", "extra",
  ]

  private static let aggregates = [
    "@count", "@count", "@sum.count", "@avg.count", "@min.price", "@max.exact", "@sum.price",
    "@sum.(count * price)", "@min.title.length", "count",
  ]

  /// A world with the results of nested fetches as variables.
  private static func world(seed: UInt64, items: Int) throws -> World {
    var world = try World(seed: seed, items: items)
    for (name, entity) in [("all", "Item"), ("homes", "Category")] {
      let found = try world.request(entity).run()
      let objects = found.rows.map { row in
        Value.object(ObjectReference(world.snapshot.object(table: found.table, row: Int(row))))
      }
      world.environment.variables[name] = .list(objects)
      world.environment.entities[name] = entity
    }
    return world
  }

  @Test("agree with the loop", arguments: 1...3 as ClosedRange<UInt64>)
  func agree(seed: UInt64) throws {
    let world = try Self.world(seed: seed, items: TestLength.count(40, long: 60))
    var numbers = SeededNumbers(seed: seed)
    var answered = 0
    for _ in 0..<KernelTests.rounds {
      let (inner, outer) = (numbers.pick(Self.keys), numbers.pick(Self.keys))
      let path = inner == "SELF" ? "$i" : "$i.\(inner)"
      let more = numbers.pick([
        "", " AND $i.count > 2", " AND $i.kind == nil", " AND $i.price < price",
        " AND done == $i.done", " AND $i.day == day AND $i.title == title",
        " AND SELF != $i", " AND $i != SELF AND $i.count > 2",
        " AND SELF != $i AND $i.kind == kind", " AND home == $i.home",
      ])
      let sides = numbers.flip() ? "\(path) == \(outer)" : "\(outer) == \(path)"
      let aggregate = numbers.pick(Self.aggregates)
      let objects = "SUBQUERY($all, $i, \(sides)\(more))"
      let value =
        numbers.oneIn(4)
        ? numbers.pick([
          "median(\(objects).serial)", "median(\(objects).exact)",
          "percentile(\(objects).price, 40)", "stddev(\(objects).price)",
        ]) : "\(objects).\(aggregate)"
      let text = "\(value) > \(numbers.below(3))"
      guard (try? world.request("Item", where: text)) != nil else { continue }
      if try world.check("Item", text, seed) { answered += 1 }
    }
    for text in [
      "SUBQUERY($all, $i, $i.home == SELF).\(numbers.pick(Self.aggregates)) > 1",
      "SUBQUERY($all, $i, SELF == $i.home AND $i.kind == \"Office\").@count > 0",
      "SUBQUERY($homes, $c, $c.parent == parent).@count > 1",
    ] {
      #expect(try world.check("Category", text, seed), "\(text)")
    }
    #expect(answered > KernelTests.rounds / 8, "\(answered) answers")
  }

  @Test("agree with the loop for linked objects", arguments: 1...3 as ClosedRange<UInt64>)
  func linkedObjects(seed: UInt64) throws {
    var world = try Self.world(seed: seed, items: TestLength.count(40, long: 200))
    for (name, text) in [("some", "count > 2"), ("office", "kind == \"Office\"")] {
      let found = try world.request("Item", where: text).run()
      world.environment.variables[name] = .list(
        found.rows.map { row in
          Value.object(ObjectReference(world.snapshot.object(table: found.table, row: Int(row))))
        })
      world.environment.entities[name] = "Item"
    }
    var numbers = SeededNumbers(seed: seed &* 17)
    for _ in 0..<KernelTests.rounds {
      let outer = numbers.pick(["SELF", "self"])
      let link = numbers.pick([
        "ANY $i.tags == \(outer)", "\(outer) IN $i.tags", "$i.tags CONTAINS SELF",
      ])
      let more = numbers.pick([
        "", " AND $i.count > 2", " AND $i.kind == nil", " AND $i.done == YES",
      ])
      let items = numbers.pick(["$all", "$some", "$office"])
      let aggregate = numbers.pick(Self.aggregates)
      let text = "SUBQUERY(\(items), $i, \(link)\(more)).\(aggregate) > \(numbers.below(3))"
      #expect(try world.check("Tag", text, seed), "\(text)")
    }
    // Objects of another entity, which has a relationship of the same name; inverses that are to-one; a value as outer
    // object. The answers agree, whether these have a loop or not.
    for (entity, text) in [
      ("Category", "SUBQUERY($all, $i, SELF IN $i.tags).@count > 0"),
      ("Item", "SUBQUERY($homes, $c, SELF IN $c.items).@count > 0"),
      ("Item", "SUBQUERY($homes, $c, ANY $c.children == home).@count > 0"),
    ] { _ = try world.check(entity, text, seed) }
  }

  @Test("agree with the loop for objects in a range", arguments: 1...4 as ClosedRange<UInt64>)
  func ranges(seed: UInt64) throws {
    let world = try Self.world(seed: seed, items: TestLength.count(60, long: 120))
    var numbers = SeededNumbers(seed: seed &* 31)
    var answered = 0
    for _ in 0..<KernelTests.rounds {
      let keys = ["count", "price", "exact", "day", "count * 2"]
      let key = numbers.pick(keys)
      let operators = ["<", "<=", ">", ">="]
      func bound() -> String {
        let key = numbers.flip() ? key : numbers.pick(keys)
        let (inner, outer) = (key.replacing("count", with: "$i.count"), key)
        let path = inner == key ? "$i.\(key)" : inner
        let sides = numbers.flip() ? [path, outer] : [outer, path]
        return sides.joined(separator: " \(numbers.pick(operators)) ")
      }
      var parts = [bound()]
      if numbers.flip() { parts.append("$i.kind == kind") }
      if numbers.flip() { parts.append(numbers.flip() ? bound() : "$i.count > 1") }
      if numbers.flip() { parts.append(bound()) }
      let aggregate = numbers.pick([
        "@count", "@sum.count", "@avg.count", "@min.price", "@max.exact", "@sum.exact", "@max.day",
        "@min.count", "@sum.price",
      ])
      let left = "SUBQUERY($all, $i, \(parts.joined(separator: " AND "))).\(aggregate)"
      let right = numbers.pick(["> 2", "== nil", "< count", ">= \(key)"])
      guard (try? world.request("Item", where: "\(left) \(right)")) != nil else { continue }
      if try world.check("Item", "\(left) \(right)", seed) { answered += 1 }
    }
    #expect(answered > KernelTests.rounds / 4, "\(answered) answers")
  }

  @Test(
    "need no loop for objects in a range",
    arguments: [
      "$i.day < day", "$i.kind == kind AND $i.price >= price", "count > $i.count AND $i.count > 2",
      "$i.exact <= exact AND $i.home == home", "$i.day < day AND $i.day >= day",
      "$i.day < day AND $i.price > price",
      "$i.kind == kind AND $i.count < count AND count > $i.count",
    ])
  func rangeMethods(text: String) throws {
    let world = try Self.world(seed: 7, items: 60)
    for aggregate in ["@count", "@sum.count"] {
      let request = try world.request("Item", where: "SUBQUERY($all, $i, \(text)).\(aggregate) > 1")
      #expect(!request.plan.filter.asksReference, "\(text): \(request.plan.filter)")
    }
  }

  @Test("find equal numbers of several kinds, and nil")
  func kinds() throws {
    let world = try Self.world(seed: 4, items: 80)
    for text in [
      "SUBQUERY($all, $i, $i.count == price).@count > 0",
      "SUBQUERY($all, $i, $i.exact == count).@count > 0",
      "SUBQUERY($all, $i, kind == $i.kind AND $i.serial != serial).@count > 3",
      "SUBQUERY($all, $i, $i.home == home AND $i != SELF).@count == 0",
      "SUBQUERY($all, $i, SUBQUERY($homes, $c, $c == $i.home AND $c == home).@count > 0).@count > 5",
      "SUBQUERY($all, $i, $i.count == count + 1).@max.price > 3",
    ] {
      #expect(try world.check("Item", text, 4), "\(text)")
    }
  }

  @Test("have a value for each row of a chunk in which all objects were deleted")
  func deletedChunk() throws {
    var world = try World(seed: 6, items: 16_800)
    let place = try #require(world.snapshot.graph.place(of: "Item"))
    var graph = world.snapshot.graph
    let count = graph.tables[place.table].count
    var live = Bitmap(count: count)
    for row in 16_500..<count { live[row] = true }
    graph.tables[place.table].live = live
    world.snapshot = GraphSnapshot(graph)
    world.environment.variables["all"] = .list(
      (16_500..<count).map { row in
        .object(ObjectReference(world.snapshot.object(table: place.table, row: row)))
      })
    world.environment.entities["all"] = "Item"
    let text = "SUBQUERY($all, $i, $i.kind == kind).@count"
    guard case .comparison(let comparison) = try World.parse(text + " > 0").kind else { return }
    let sorted = try world.request(
      "Item", sort: [SortTree(comparison.left), SortTree(parsing: "serial")])
    #expect(try sorted.run().rows.count == live.popcount)
    #expect(try world.request("Item", where: text + " > 0").count() == live.popcount)
  }

  @Test("take one pass over each collection")
  func cost() throws {
    let world = try Self.world(seed: 5, items: 1000)
    let text = "SUBQUERY($all, $i, $i.serial == serial AND $i.title == title).@count == 1"
    let request = try world.request("Item", where: text)
    // A loop would evaluate a million pairs.
    #expect(try request.count() > 300)
  }

  /// A fetch with an offset runs for each object.
  @Test(
    "find the first and last object in the order of a fetch",
    arguments: 1...3 as ClosedRange<UInt64>)
  func elements(seed: UInt64) throws {
    let world = try Self.world(seed: seed, items: TestLength.count(200, long: 2000))
    var numbers = SeededNumbers(seed: seed)
    var places = 0
    for _ in 0..<60 {
      let key = numbers.pick(["home == $c", "home.parent == $c", "kind == $c.name"])
      let more = numbers.pick(["", " AND count > 2", " AND done == YES"])
      let sort = numbers.pick([
        "", " sort day desc", " sort kind, count desc, title", " sort price",
      ])
      let column = numbers.pick(["title", "count", "price", "exact", "serial", "home.name", "day"])
      let test = numbers.pick(["!= nil", "== nil"])
      func text(_ limit: String, _ index: String) -> String {
        "Category as $c where (fetch Item where \(key)\(more)\(sort)\(limit) select \(column))"
          + "[\(index)] \(test)"
      }
      let (limit, index) =
        numbers.flip() ? (" limit 1", "FIRST") : ("", numbers.pick(["FIRST", "LAST"]))
      let joined = try Self.bound(text(limit, index), world)
      let looped = try Self.bound(text(limit + " offset 0", index), world)
      #expect(try joined.run().rows == looped.run().rows, "\(text(limit, index)), seed \(seed)")
      #expect(!joined.plan.filter.asksReference, "\(text(limit, index)): \(joined.plan.filter)")
      let shown = numbers.pick(["title", "count", "exact", "day", "kind", "home.name"])
      func selected(_ limit: String) -> String {
        "Category as $c select (fetch Item where \(key)\(more)\(sort)\(limit) select \(shown))"
          + "[\(index)] as x"
      }
      // A page of few objects runs the fetch for each of them.
      let page = "Category as $c limit 5 select"
      let few = try Self.bound(
        selected(limit).replacing("Category as $c select", with: page), world)
      let values = try Self.bound(selected(limit), world).answer().value
      #expect(
        try few.answer().value.elements == values.elements?.prefix(5).map(\.self),
        "\(selected(limit)), seed \(seed)")
      #expect(
        try values == Self.bound(selected(limit + " offset 0"), world).answer().value,
        "\(selected(limit)), seed \(seed)")
      places += values.elements?.count { !$0.isNull } ?? 0
    }
    #expect(places > 60)
  }

  @Test("find the least and greatest value of a fetch", arguments: 1...3 as ClosedRange<UInt64>)
  func extremes(seed: UInt64) throws {
    let world = try Self.world(seed: seed, items: TestLength.count(200, long: 2000))
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<40 {
      let key = numbers.pick(["home == $c", "home.parent == $c", "kind == $c.name"])
      let more = numbers.pick(["", " AND count > 2", " AND done == YES", " AND count > 99"])
      let value = numbers.pick(["count", "price", "exact", "day", "serial"])
      let call = "\(numbers.pick(["min", "max"]))(\(value))"
      func text(_ offset: String) -> String {
        "Category as $c select (fetch Item where \(key)\(more)\(offset) select \(call)) as x"
      }
      let values = try Self.bound(text(""), world).answer().value
      let looped = try Self.bound(text(" offset 0"), world).answer().value
      #expect(values == looped, "\(text("")), seed \(seed)")
      let test = "(fetch Item where \(key)\(more) select \(call)) != nil"
      let joined = try Self.bound("Category as $c where \(test)", world)
      #expect(!joined.plan.filter.asksReference, "\(test): \(joined.plan.filter)")
    }
  }

  private static func bound(_ text: String, _ world: World) throws -> BoundRequest {
    try WatchedWorld.fetch(text).bound(to: world.snapshot, world.environment)
  }
}
