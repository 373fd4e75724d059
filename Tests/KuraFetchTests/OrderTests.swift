import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("The order of tests")
struct OrderTests {
  /// More categories than a sample needs: one of ten has the name "odd", the others "even".
  static let large = Result { try World.ofManyCategories() }

  private func order(_ text: String) throws -> [String] {
    let filter = try OrderTests.large.get().request("Category", where: text).plan.filter
    return filter.parts.map { $0.predicate.predicateFormat }
  }

  @Test("begins an AND with the most selective test, an OR with the least, at equal cost")
  func selectivity() throws {
    let (even, odd) = ("name BEGINSWITH \"even\"", "name BEGINSWITH \"odd\"")
    #expect(try order("\(even) AND \(odd)") == [odd, even])
    #expect(try order("\(odd) AND \(even)") == [odd, even])
    #expect(try order("\(odd) OR \(even)") == [even, odd])
    #expect(try order("NOT (\(even) OR \(odd))") == ["NOT \(even)", "NOT \(odd)"])
  }

  @Test("keeps tests that may fail after those that cannot, in their order")
  func failures() throws {
    let text =
      "2 / length(name) < 3 AND name CONTAINS \"7\" AND 1 / length(name) > 0 AND parent == nil"
    #expect(
      try order(text) == [
        "name CONTAINS \"7\"", "parent == nil", "2 / length:(name) < 3", "1 / length:(name) > 0",
      ])
  }

  @Test("comes from a sample that represents the rows")
  func shares() throws {
    let world = try OrderTests.large.get()
    let request = try world.request("Category")
    let sample = try #require(RowSample(world.snapshot.graph.tables[request.place.table]))
    for (text, share) in [
      ("name BEGINSWITH \"odd\"", 0.1), ("name == nil", 0.0), ("parent == nil", 1.0),
      ("name MATCHES \".*[0-4]\"", 0.5), ("objectID > \(RowSample.least / 2)", 0.5),
      ("name LIKE \"even*\"", 0.9), ("name < \"f\"", 0.9), ("entity.name == \"Tag\"", 0),
    ] {
      guard case .kernel(let kernel) = try world.request("Category", where: text).plan.filter.kind
      else {
        Issue.record("\(text) has no kernel")
        continue
      }
      let found = try #require(kernel.share(of: sample))
      #expect(abs(found - share) < 0.1, "\(text): \(found)")
    }
    #expect(RowSample(try World(items: 5).snapshot.graph.tables[0]) == nil)
  }
}

extension World {
  fileprivate static func ofManyCategories() throws -> World {
    var world = try World(items: 0)
    var context = GraphContext(world.snapshot.graph)
    let names = (0..<RowSample.least).map { $0 % 10 == 0 ? "odd \($0)" : "even \($0)" }
    _ = try context.insert(
      names.map { NewObject(entity: "Category", values: [NewValue("name", .string($0))]) })
    world.snapshot = context.snapshot
    return world
  }
}
