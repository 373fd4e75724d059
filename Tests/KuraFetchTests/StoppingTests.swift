import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("A fetch that is cancelled")
struct StoppingTests {
  @Test("reports that, and names no object", arguments: [nil, "title.length + 1 > 2", "count > 1"])
  func saysSo(_ predicate: String?) throws {
    var world = try World(items: 200)
    world.environment.cancel = CancelFlag()
    let request = try world.request("Item", where: predicate)
    world.environment.cancel.request()
    #expect("\(try #require(throws: Diagnostic.self) { try request.run() })" == "error: stopped")
  }

  @Test("stops sorting")
  func sortsNoFurther() throws {
    var environment = FetchEnvironment(now: .now)
    environment.cancel = CancelFlag()
    let order = SortOrder(keys: [], rows: Array(0..<5000), locale: .current, numbers: nil)
    #expect(try order.sortedPlaces(first: 3, environment).count == 3)
    environment.cancel.request()
    #expect(throws: Diagnostic.self) { try order.sortedPlaces(first: nil, environment) }
    #expect(throws: Diagnostic.self) { try order.sortedPlaces(first: 3, environment) }
  }

  @Test("reads no further sort key")
  func looksAtNoFurtherKey() throws {
    var world = try World(items: 200)
    world.environment.cancel = CancelFlag()
    let request = try world.request("Item", sort: [SortTree](parsing: "title, count"))
    let rows = try request.passingRows()
    #expect(WordSort(request, rows) != nil)
    world.environment.cancel.request()
    #expect(WordSort(request, rows) == nil)
    #expect(WordSort(try world.request("Item", sort: [SortTree](parsing: "count")), rows) == nil)
  }

  @Test("passes no further text to Foundation")
  func asksForNoFurtherText() throws {
    let request = try World(items: 200).request("Item")
    let table = request.snapshot.graph.tables[request.place.table]
    guard case .attribute(let column, _)? = table.layout.slots[request.place.code]["title"] else {
      throw Stopped()
    }
    let cancel = CancelFlag()
    // With [l] only Foundation has the answer.
    let kernel = TextKernel(
      column: column, key: "title", needle: TextNeedle("i", .localeSensitive, locale: .current),
      test: .contains, isNegated: false, cancel: cancel)
    var all = Bitmap(count: table.count)
    all.invert()
    let rows = ChunkRows(table: table, number: 0, candidates: all)
    #expect(kernel.matches(rows).popcount > 0)
    cancel.request()
    #expect(kernel.matches(rows).popcount == 0)
  }
}
