import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("Limits per key") struct LimitPerKeyTests {
  @Test(
    "keep the first rows of each value, as after sorting all rows",
    arguments: ["kind", "done", "code", "home.name", "modulus:by:(count, 3)"])
  func agree(key: String) throws {
    let world = try World(seed: 83, items: 3000)
    let table = try #require(world.snapshot.graph.place(of: "Item")).table
    for (filter, sort) in [
      ("", "price"), ("count > 1", "title"), ("price != nil", "serial"), ("", "day"),
    ] {
      for (offset, limit) in [(0, 1), (0, 3), (2, 2), (0, 5000), (4000, .max)] {
        var fetch = FetchTree(of: FetchSource(.entity("Item")))
        fetch.sort = [SortTree(try World.parseExpression(sort))]
        if !filter.isEmpty { fetch.predicate = try PredicateTree(parsing: filter) }
        let all = try fetch.bound(to: world.snapshot, world.environment).run().rows
        fetch.offset = ExpressionTree(.constant(Constant(.integer(Int64(offset)))))
        fetch.limit = ExpressionTree(.constant(Constant(.integer(Int64(limit)))))
        let tree = try World.parseExpression(key)
        fetch.limitKeys = [tree]
        let found = try fetch.bound(to: world.snapshot, world.environment).run()
        var counts: [Value: Int] = [:]
        let expected = try all.filter { row in
          let object = Value.object(
            ObjectReference(world.snapshot.object(table: table, row: Int(row))))
          let value = try tree.evaluate(on: object, in: world.environment.evaluation)
          counts[value, default: 0] += 1
          let count = counts[value, default: 0]
          return count > offset && count - offset <= limit
        }
        #expect(found.rows == expected, "\(filter) \(sort) \(key) \(offset) \(limit)")
        #expect(found.total == all.count)
      }
    }
  }
}
