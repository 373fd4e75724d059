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
    let node = compiler.vector(try world.expression(text), scope)
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
    let bounds = (-2_000.0).orderedBits...3_000.0.orderedBits
    var dice = Dice(UInt64(text.utf8.count))
    let numbers = (0..<600).map { i in
      i < 300
        ? (Double(dice.below(5_000_000)) - 2_000_000) / 1_000 : Double(dice.below(5_000)) - 2_000
    }
    let worth = Self.worth(node, numbers, column: monotone.trend.column)
    for _ in 0..<40 {
      let (a, b) = (dice.pick(worth), dice.pick(worth) + dice.pick([0, 0.5, 7]))
      let range = min(a, b)...max(a, b)
      let found = try #require(monotone.values(of: bounds, between: range))
      for (number, value) in zip(numbers, worth) {
        #expect(
          range.contains(value) == (found?.contains(number.orderedBits) ?? false),
          "\(number) \(range)")
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
    func words(_ range: ClosedRange<Double>) -> ClosedRange<UInt64> {
      range.lowerBound.orderedBits...range.upperBound.orderedBits
    }
    #expect(root.values(of: words(-1...5), between: 0...1) == nil)
    #expect(root.values(of: words(0...5), between: 3...4) == .some(nil))
    // The root of the next number is rounded to 2, too.
    #expect(root.values(of: words(0...5), between: 1...2) == .some(words(1...4.0.nextUp)))
    let large = try #require(MonotoneExpression(try Self.node("price * 1e300")))
    #expect(large.values(of: words(0...1e300), between: 0...1) == nil)
  }

  /// Returns a table with so many rows that computing all does not pay.
  private static func wide(days: ((Int) -> Int64)? = nil) throws -> World {
    var world = try World(seed: 3, items: 300)
    var graph = world.snapshot.graph
    let place = try #require(graph.place(of: "Item"))
    let table = graph.tables[place.table]
    let rows = 9_000
    var columns = table.columns.map { column in
      var wide = Column(column.kind, dictionary: column.dictionary)
      for row in 0..<rows { wide.append(column.cell(row % table.count)) }
      return wide
    }
    if let days, let place = table.layout.columns.firstIndex(where: { $0.key == "day" }) {
      let numbers = (0..<rows).map(days)
      columns[place] = Column(
        .attribute(.date),
        chunks: [ColumnChunk(.integers(numbers), nulls: Bitmap(numbers) { $0 % 7 == 0 })])
    }
    graph.tables[place.table] = Table(
      layout: table.layout, columns: columns, identifiers: .dense(first: 1, count: rows))
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
    "are ranges of dates if the clocks do not change between the dates",
    arguments: ["UTC", "Asia/Tokyo", "Europe/Berlin"])
  func rangesOfDates(zone: String) throws {
    var dice = Dice(UInt64(zone.utf8.count))
    for (first, last, isConstant) in [
      ("1990-01-01", "2021-01-01", zone != "Europe/Berlin"),
      ("2018-11-15", "2019-03-01", true), ("1948-01-01", "1953-01-01", zone == "UTC"),
    ] {
      let (from, until) = (try Self.moment(first), try Self.moment(last))
      var world = try Self.wide { row in
        // Half of the dates are at a full hour.
        let moment = from + Int64(dice.below(Int((until - from) / 1_000_000))) * 1_000_000
        return row % 2 == 0 ? moment : moment - moment % 3_600_000_000
      }
      let rules = ZoneRules(TimeZone(identifier: zone))
      world.environment = FetchEnvironment(now: world.environment.now, rules: rules)
      for text in Self.questionsOfDates {
        let filter = try world.request("Item", where: text).plan.filter
        let isRange = filter.methods.contains("kernel: range over day")
        // In Berlin's winter, months before or after the dates may include a change of the clocks.
        let isSure = zone != "Europe/Berlin" || !isConstant || text.hasPrefix("year")
        let clamps = text.firstMatch(of: /\(day, .*'(month|year)s?'/) != nil
        #expect(!isSure || isRange == (isConstant && !clamps), "\(text) \(zone)")
        #expect(try world.check("Item", text, 3), "\(text) \(zone) \(first)")
      }
    }
  }

  private static let questionsOfDates = [
    "year(day) == 2018", "year(day) > 1951", "year(day) IN {1949, 1952, 2019}",
    "startOfDay(day) == CAST(568080000, 'NSDate')",
    "startOfDay(day) != CAST(568080000, 'NSDate')",
    "daysBetween(day, CAST(568080000, 'NSDate')) BETWEEN {-30, 12}",
    "timeBetween(day, CAST(568123456, 'NSDate'), 'months') == 1",
    "timeBetween(CAST(567123456, 'NSDate'), day, 'month') <= 0",
    "timeBetween(day, CAST(568123456, 'NSDate'), 'hours') / 24 < 0.5",
    "timeBetween(day, CAST(568080000, 'NSDate'), 'year') >= 2",
    "dateByAdding(day, 1, 'month') > CAST(568080000, 'NSDate')",
    "dateByAdding(day, -10, 'days') <= CAST(568080000, 'NSDate')",
    "NOT year(day) >= 2019",
  ]

  /// Comparisons at the end of a month, for which months are not monotone.
  private static let questionsAtMonthEnds = [
    "dateByAdding(day, 1, 'month') > CAST(320587200, 'NSDate')",
    "dateByAdding(day, 1, 'year') > CAST(352123200, 'NSDate')",
    "timeBetween(day, CAST(320587200, 'NSDate'), 'month') == 1",
    "timeBetween(CAST(320587200, 'NSDate'), day, 'month') >= -1",
  ]

  @Test("are no ranges if a later date has an earlier result, at the ends of months")
  func monthEnds() throws {
    var dice = Dice(11)
    let from = try Self.moment("2011-01-28")
    let world = try Self.wide { _ in from + Int64(dice.below(9 * 86_400)) * 1_000_000 }
    for text in Self.questionsAtMonthEnds { #expect(try world.check("Item", text, 3), "\(text)") }
  }

  private static func moment(_ text: String) throws -> Int64 {
    try Timestamp(written: text, in: .utc, now: Timestamp(microseconds: 0)).microseconds
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
