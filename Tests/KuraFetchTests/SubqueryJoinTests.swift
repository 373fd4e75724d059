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
      let text = "SUBQUERY($all, $i, \(sides)\(more)).\(aggregate) > \(numbers.below(3))"
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
}
