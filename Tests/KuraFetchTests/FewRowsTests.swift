import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Objects by number: chunks without one are not read, and few rows are sorted separately.
@Suite("Few rows") struct FewRowsTests {
  private static let world = Result { try World(seed: 17, items: 900) }

  private static func sort(_ text: String) throws -> SortTree {
    let words = text.split(separator: " ")
    let cursor = TokenCursor(SourceText(String(words[0])), mode: .statement)
    return SortTree(try PredicateParser(cursor).parseExpression(), isAscending: words.count == 1)
  }

  @Test(
    "are all rows with the numbers, in the same order",
    arguments: [
      [], ["title"], ["count desc", "title"], ["day", "objectID desc"], ["home.objectID", "note"],
      ["length(title)", "kind"],
    ])
  func same(keys: [String]) throws {
    let world = try Self.world.get()
    let sort = try keys.map { try Self.sort($0) }
    let numbers = world.snapshot.graph.tables[
      try #require(world.snapshot.graph.place(of: "Item")?.table)
    ].identifiers
    for (text, other) in [
      ("", ""), (" AND count > 1", "count > 1"), (" AND length(title) > 3", "length(title) > 3"),
    ] {
      let all = try world.request(
        "Item", where: other.isEmpty ? "TRUEPREDICATE" : other, sort: sort
      ).run()
      for wanted in [[3], [700, 2, 41, 2, 9999], Array(stride(from: 1, to: 900, by: 7))] {
        let list = wanted.map(String.init).joined(separator: ", ")
        let found = try world.request("Item", where: "objectID IN {\(list)}" + text, sort: sort)
          .run()
        let expected = all.rows.filter { wanted.contains(Int(numbers[Int($0)])) }
        #expect(found.rows == expected && found.total == expected.count, "\(list)\(text) \(keys)")
      }
    }
  }

  @Test("are in the chunks that ranges touch, each chunk once")
  func chunks() {
    #expect(SortedRanges([]).chunks == [])
    #expect(SortedRanges([5..<6, 0..<1, 16_383..<16_385, 16_390..<16_391]).chunks == [0, 1])
    #expect(SortedRanges([40_000..<40_001, 3..<4, 70_000..<120_000]).chunks == [0, 2, 4, 5, 6, 7])
  }
}
