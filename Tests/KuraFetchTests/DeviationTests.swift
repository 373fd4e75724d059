import KuraChecking
import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Standard deviations of chunks that are summed separately.
@Suite("Deviations") struct DeviationTests {
  @Test("are right in a chunk in which no row is wanted")
  func emptyChunk() throws {
    let world = try World(seed: 54, items: 17_000)
    for text in ["stddev(price)", "stddev(count * price)", "stddev(count)"] {
      var fetch = FetchTree(of: FetchSource(.entity("Item")))
      fetch.predicate = try World.parse("objectID > 16390")
      fetch.grouping = [try World.parseExpression("kind")]
      fetch.selection = [SelectedColumn(try World.parseExpression(text), name: "x", isNamed: true)]
      let request = try fetch.bound(to: world.snapshot, world.environment)
      let grouping = try #require(request.selection?.grouping)
      let groups = try Groups(request, by: grouping.keys.map(\.tree), grouping.aggregates)
      let aggregate = try #require(grouping.aggregates.first)
      let slow = try groups.slowValues(of: aggregate, request)
      let found = try groups.values(of: aggregate, request, isWhole: false).all
      for (value, slot) in zip(found, groups.order) {
        let (a, b) = (value.approximateNumber ?? .nan, slow[slot].approximateNumber ?? .nan)
        #expect(abs(a - b) <= 1e-9 * abs(b), "\(text): \(a), \(b)")
      }
      #expect(found.count > 3)
    }
  }
}
