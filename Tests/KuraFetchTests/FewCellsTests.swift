import Foundation
import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Expressions that are computed for few rows of many: their operands are gathered first.
@Suite("Cells of few rows") struct FewCellsTests {
  /// Returns rows in order or in any order, some of them repeatedly.
  private func rows(_ dice: inout Dice, of count: Int, _ wanted: Int) -> [UInt32] {
    let rows = (0..<wanted).map { _ in UInt32(dice.below(count)) }
    return dice.chance(0.5) ? rows.sorted() : rows
  }

  private func expected(
    _ tree: ExpressionTree, _ request: BoundRequest, _ rows: [UInt32]
  ) throws -> [Value] {
    try rows.map { row in
      let object = request.snapshot.object(table: request.place.table, row: Int(row))
      return try request.value(of: tree, object, request.environment.evaluation)
    }
  }

  @Test("agree with the reference evaluator", arguments: [61, 62, 63] as [UInt64])
  func generated(seed: UInt64) throws {
    var world = try World(seed: seed, items: 600)
    world = seed % 3 == 0 ? world.sparsified : seed % 3 == 1 ? world.coded : world
    var (dice, answered) = (Dice(seed &* 104_729), 0)
    for _ in 0..<KernelTests.rounds {
      let text = dice.chance(0.4) ? dice.text(2) : dice.number(2)
      let tree = try world.expression(text)
      let request = try world.request("Item")
      let rows = rows(&dice, of: 600, 1 + dice.below(100))
      guard let few = request.fewCells(tree, rows) else { continue }
      let found = few.values(Array(0..<UInt32(rows.count)))
      #expect(try found == expected(tree, request, rows), "seed \(seed): \(text)")
      answered += 1
    }
    #expect(answered > KernelTests.rounds / 8, "\(answered)")
  }

  @Test("come from all chunks of a table, in any order")
  func chunks() throws {
    let world = try World(seed: 64, items: 40_000)
    var (dice, answered) = (Dice(64), 0)
    for text in [
      "uppercase(title)", "count * 2", "price * count", "home.name", "length(note)", "year(day)",
      "concat(kind, \"-\", code)", "coalesce(note, title)", "TERNARY(count > 3, kind, \"none\")",
      "length(home.name) + count", "day", "lowercase(home.name)",
    ] {
      let tree = try world.expression(text)
      let request = try world.request("Item")
      for wanted in [300, 6_000] {
        let rows = rows(&dice, of: 40_000, wanted)
        guard let few = request.fewCells(tree, rows) else { continue }
        let found = few.values(Array(0..<UInt32(rows.count)))
        #expect(try found == expected(tree, request, rows), "\(text)")
        answered += 1
      }
    }
    #expect(answered > 12, "\(answered)")
  }

  @Test(
    "are not used if other objects are read, or for too many rows",
    arguments: [
      "tags.@count", "SELF", "home.items.@count", "objectID", "random()", "best.title", "$x + 1",
    ])
  func more(text: String) throws {
    let world = try World(seed: 65, items: 600)
    let request = try world.request("Item")
    #expect(request.fewCells(try world.expression(text), [1, 2, 3]) == nil)
    let plain = try world.expression("count + 1")
    #expect(request.fewCells(plain, [1, 2, 3]) != nil)
    #expect(request.fewCells(plain, Array(0..<400)) == nil)
    // The lengths are known, and gathering the texts would be slower.
    let length = try world.expression("length(title)")
    #expect(request.fewCells(length, Array(0..<100)) == nil)
    #expect(request.fewCells(length, [1, 2, 3]) != nil)
  }
}
