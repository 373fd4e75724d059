import KuraDiagnostics
import Testing

@testable import KuraFetch

@Suite("Offset and limit")
struct LimitTests {
  let world: World

  init() throws { world = try World(items: 40) }

  @Test("the greatest limit after an offset takes all remaining rows")
  func largestLimit() throws {
    let all = try world.fetch("Item")
    #expect(try world.fetch("Item", limit: .max, offset: 1) == Array(all.dropFirst()))
    #expect(try world.fetch("Item", limit: .max, offset: .max) == [])
    #expect(try world.fetch("Item", limit: 1, offset: .max) == [])
  }

  @Test("an offset after the last row leaves nothing")
  func behindTheLast() throws {
    #expect(try world.fetch("Item", offset: 40) == [])
    #expect(try world.fetch("Item", limit: 3, offset: 38).count == 2)
  }
}
