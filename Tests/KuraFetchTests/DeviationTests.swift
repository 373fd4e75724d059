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
      let request = try World.grouped(
        text, of: "Item", by: "kind", where: "objectID > 16390"
      ).bound(to: world.snapshot, world.environment)
      let values = try request.valuesOfFirstAggregate()
      for (value, slow) in zip(values.engine, values.evaluator) {
        let (a, b) = (value.approximateNumber ?? .nan, slow.approximateNumber ?? .nan)
        #expect(abs(a - b) <= 1e-9 * abs(b), "\(text): \(a), \(b)")
      }
      #expect(values.engine.count > 3)
    }
  }
}
