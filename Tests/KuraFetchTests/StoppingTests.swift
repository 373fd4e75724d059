import Foundation
import KuraBytes
import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("A fetch that is to stop")
struct StoppingTests {
  @Test("says so, and names no object", arguments: [nil, "title.length + 1 > 2", "count > 1"])
  func saysSo(_ predicate: String?) throws {
    var world = try World(items: 200)
    world.environment.cancel = CancelFlag()
    let request = try world.request("Item", where: predicate)
    world.environment.cancel.request()
    #expect("\(try #require(throws: Diagnostic.self) { try request.run() })" == "error: stopped")
  }

  @Test("sorts no further")
  func sortsNoFurther() throws {
    var environment = FetchEnvironment(now: .now)
    environment.cancel = CancelFlag()
    let order = SortOrder(keys: [], rows: Array(0..<5000), locale: .current, numbers: nil)
    #expect(try order.sortedPlaces(first: 3, environment).count == 3)
    environment.cancel.request()
    #expect(throws: Diagnostic.self) { try order.sortedPlaces(first: nil, environment) }
    #expect(throws: Diagnostic.self) { try order.sortedPlaces(first: 3, environment) }
  }
}
