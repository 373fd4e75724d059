import Foundation
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Monotone expressions of a column, and choices, which are evaluated as ranges and ANDs of the column.
@Suite("Expressions turned into ranges of columns") struct MonotoneTests {
  private static func node(_ text: String) throws -> any VectorNode {
    let world = try World()
    var compiler = FilterCompiler(graph: world.snapshot.graph, environment: world.environment)
    let scope = FilterScope(
      entity: "Item", place: try #require(world.snapshot.graph.place(of: "Item")))
    let node = compiler.vector(try World.parseExpression(text), scope)
    return try #require(node)
  }

  @Test(
    "have the values in a range",
    arguments: [
      "price * 3", "price / -7", "12.5 - price", "floor(price)", "round(price / 3) * -2",
      "round(price, 1)", "round(price * 7, -1)",
      "ceiling(price + 0.1)", "trunc(price) / 3", "sqrt(price + 3000)", "-price",
      "price * 0.1 + 0.2", "price * 0",
    ])
  func values(text: String) throws {
    let node = try Self.node(text)
    let monotone = try #require(MonotoneExpression(node))
    let bounds = -2_000.0...3_000.0
    var dice = Dice(UInt64(text.utf8.count))
    let numbers = (0..<600).map { i in
      i < 300
        ? (Double(dice.below(5_000_000)) - 2_000_000) / 1_000 : Double(dice.below(5_000)) - 2_000
    }
    let worth = Self.worth(node, numbers, column: monotone.column)
    for _ in 0..<40 {
      let (a, b) = (dice.pick(worth), dice.pick(worth) + dice.pick([0, 0.5, 7]))
      let range = min(a, b)...max(a, b)
      let found = try #require(monotone.values(of: bounds, between: range))
      for (number, value) in zip(numbers, worth) {
        #expect(range.contains(value) == (found?.contains(number) ?? false), "\(number) \(range)")
      }
    }
  }

  private static func worth(_ node: any VectorNode, _ numbers: [Double], column: Int) -> [Double] {
    let columns = (0...column).map {
      Column(
        .attribute(.double), chunks: $0 == column ? [ColumnChunk(.doubles(numbers))] : [])
    }
    let layout = TableLayout(root: "", entities: [], columns: [], slots: [])
    let rows = ChunkRows(
      table: Table(layout: layout, columns: columns), number: 0,
      candidates: Bitmap(count: numbers.count, filledWith: true))
    return node.vector(rows).doubles.spread(numbers.count)
  }

  @Test(
    "are not used if not monotone, or about more than one column of doubles",
    arguments: [
      "price * price", "abs(price)", "price + count", "modulus:by:(price, 3)", "10 / price",
      "ln(price)", "count * 2", "price ** 2",
    ])
  func others(text: String) throws {
    #expect(MonotoneExpression(try Self.node(text)) == nil)
  }

  @Test("have no values if one of the bounds has none")
  func failing() throws {
    let root = try #require(MonotoneExpression(try Self.node("sqrt(price)")))
    #expect(root.values(of: -1...5, between: 0...1) == nil)
    #expect(root.values(of: 0...5, between: 3...4) == .some(nil))
    // The root of the next number is rounded to 2, too.
    #expect(root.values(of: 0...5, between: 1...2) == .some(1...4.0.nextUp))
    let large = try #require(MonotoneExpression(try Self.node("price * 1e300")))
    #expect(large.values(of: 0...1e300, between: 0...1) == nil)
  }

  /// Returns a table with so many rows that computing all does not pay.
  private static func wide() throws -> World {
    var world = try World(seed: 3, items: 300)
    var graph = world.snapshot.graph
    let place = try #require(graph.place(of: "Item"))
    let table = graph.tables[place.table]
    let columns = table.columns.map { column in
      var wide = Column(column.kind, dictionary: column.dictionary)
      for row in 0..<33_000 { wide.append(column.cell(row % table.count)) }
      return wide
    }
    graph.tables[place.table] = Table(
      layout: table.layout, columns: columns, identifiers: .dense(first: 1, count: 33_000))
    world.snapshot = GraphSnapshot(graph)
    return world
  }

  @Test("are ranges of the column in a large table, and agree with the reference evaluator")
  func ranges() throws {
    let world = try Self.wide()
    for text in [
      "price / 12 BETWEEN {0.1, 5}", "round(price) == 3", "round(price, 1) == 2.5",
      "round(price, -1) > 5", "abs(price - 2) < 1.5", "-price != 4.5",
      "7 > price * 2", "floor(price) >= 2.5", "abs(price) >= -1", "abs(price) == -1",
    ] {
      let filter = try world.request("Item", where: text).plan.filter
      #expect(filter.method == "kernel: range over price", "\(text)")
      #expect(try world.check("Item", text, 3))
    }
  }

  @Test(
    "are ANDs and ORs if a value is chosen",
    arguments: [
      "TERNARY(count > 2, title, kind) == \"Office\"",
      "TERNARY(done == YES, title, kind) BEGINSWITH[cd] \"c\"",
      "TERNARY(done == YES, price, count) > 1", "NOT TERNARY(count > 1, price, 0.5) <= 2",
      "coalesce(kind, title) CONTAINS \"a\"", "coalesce(price, count, 3) == 3",
      "TERNARY(count == nil, TERNARY(done == YES, kind, title), \"x\") != \"x\"",
      "coalesce(count, 0) IN {0, 1, 2}", "3 >= coalesce(count, 3)",
    ])
  func choices(text: String) throws {
    for seed in [1, 2, 3] as [UInt64] {
      let world = try World(seed: seed)
      #expect(try world.check("Item", text, seed))
    }
    let filter = try World(items: 20).request("Item", where: text).plan.filter
    #expect(!filter.methods.contains { $0.contains("whole columns") }, "\(filter.methods)")
  }

  @Test("with many choices compile without doubling the time for each")
  func nested() throws {
    let world = try World(items: 30)
    var (condition, branch) = ("count > 1", "price")
    for i in 0..<16 {
      condition = "TERNARY(\(condition), \(i % 2), kind.length) == \(i % 2)"
      branch = "TERNARY(TERNARY(count > \(i), price, 1) > 1, \(i), \(branch))"
    }
    #expect(try world.check("Item", condition, 1))
    #expect(try world.check("Item", "\(branch) > 2", 1))
  }

  @Test("read no text as a date, and fail at the same place")
  func choicesThatStay() throws {
    let world = try World()
    for text in [
      "TERNARY(count > 2, \"2001-01-01\", kind) == $day", "coalesce(kind, \"2001-01-01\") == $day",
      "coalesce(price, 6 / count) > 2", "TERNARY(count != 0, 6 / count, 1) > 2",
    ] {
      _ = try world.check("Item", text, 1)
    }
  }
}
