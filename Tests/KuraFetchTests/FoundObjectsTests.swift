import KuraGraph
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Expressions of nested fetches, which read rows instead of objects, compared with the same expressions of lists.
@Suite("Objects that a nested fetch found")
struct FoundObjectsTests {
  private static let conditions = [
    "count > 2", "done == YES", "kind == \"Office\"", "price < 2", "home != nil", "count > 99",
    "exact >= 0.3", "count != nil",
  ]

  @Test("have the values of a list of objects", arguments: 1...4 as ClosedRange<UInt64>)
  func values(seed: UInt64) throws {
    var world = try World(seed: seed, items: TestLength.count(60, long: 400))
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<TestLength.count(80, long: 2000) {
      var fetches: [String] = []
      for name in ["a", "b"] {
        let entity = numbers.oneIn(3) ? "Task" : "Item"
        let sort = numbers.pick(["", "", " sort count desc, serial", " sort day limit 7"])
        let fetch = "(fetch \(entity) where \(numbers.pick(Self.conditions))\(sort))"
        fetches.append(fetch)
        world.environment.variables[name] = try world.value(fetch)
        world.environment.entities[name] = entity
      }
      let objects = numbers.pick([
        "$a", "($a INTERSECT $b)", "($a MINUS $b)", "($a UNION $b)", "(($a UNION $b) MINUS $b)",
        "($a.home INTERSECT $b.home)", "($a UNION $b).tags", "$a.home.items", "$a.tags.items",
      ])
      let value = numbers.pick([
        "{o}.@count", "count({o})", "{o}.count", "{o}.@sum.serial", "{o}.@min.name", "{o}.@max.day",
        "{o}.@avg.exact", "{o}.name", "{o}.home.name", "{o}.title", "{o}", "{o}.@sum.(count * 2)",
        "{o}.@distinctUnionOfObjects.name", "median({o}.serial)", "median({o}.count)",
        "median({o}.exact)",
        "percentile({o}.price, 35)", "countDistinct({o}.serial)", "median({o}.home.count)",
        "{o}.tags.@count", "{o}.@unionOfObjects.kind", "{o}.self.@count", "{o}.home.@count",
      ])
      let text = value.replacing("{o}", with: objects)
      let written = text.replacing("$a", with: fetches[0]).replacing("$b", with: fetches[1])
      let expected = Result { try world.value(text) }
      let found = Result { try world.value(written) }
      switch (expected, found) {
      case (.success(let one), .success(let other)):
        #expect(one == other, "seed \(seed): \(written)")
        #expect(one.kind == other.kind, "seed \(seed): \(written)")
      case (.failure, .failure): break
      default: Issue.record("seed \(seed): \(written) \(expected) \(found)")
      }
    }
  }

  @Test(
    "remain rows",
    arguments: [
      "SUBQUERY((fetch Item where count > 1), $i, $i.home == home).@count > 1",
      "SUBQUERY((fetch Item sort day), $i, $i.home == home AND $i.day < day).@count > 1",
      "SUBQUERY((fetch Item), $i, $i.kind == kind).@max.count == count",
    ])
  func rows(text: String) throws {
    let world = try World(seed: 3, items: 100)
    let request = try WatchedWorld.fetch("Item where \(text)")
      .bound(to: world.snapshot, world.environment)
    _ = try request.run()
    var found: [FetchedObjects] = []
    _ = request.predicate?.first { tree in
      if case .constant(let constant) = tree.kind, let objects = constant.objects as? FetchedObjects
      {
        found.append(objects)
      }
      return false
    }
    #expect(found.count == 1)
    #expect(found.allSatisfy { !$0.isRead }, "\(text)")
  }
}

extension World {
  /// Returns the value of an expression outside a fetch.
  fileprivate func value(_ text: String) throws -> Value {
    let columns = try WatchedWorld.fetch("Item select \(text) as x").selection
    return try #require(columns?.first).expression.value(in: snapshot, environment)
  }
}
