import Foundation
import KuraDiagnostics
import KuraValues
import TestSupport
import Testing

@testable import KuraRendering

@Suite("Bars")
struct BarTests {
  private func bars(_ grid: Grid, width: Int = 40, isWide: Bool = false) throws -> String {
    try grid.text(as: .of("bars"), RenderingOptions(width: width, ambiguousIsWide: isWide))
  }

  private func column(_ values: [Value]) -> Grid {
    Grid(columns: [GridColumn("x")], rows: values.map { [$0] })
  }

  @Test("have lengths proportional to numbers, from a common axis")
  func signs() throws {
    let grid = Grid(
      columns: [GridColumn("label"), GridColumn("n", isNumeric: true)],
      rows: [
        [.string("家"), .integer(10)], [.string("仕事"), .integer(-5)], [.string("旅"), .null],
        [.string("x"), .integer(0)], [.string("y"), .double(0.01)],
      ])
    #expect(
      try bars(grid, width: 30) == """
        家     10        ████████████
        仕事   -5  ██████
        旅   NULL
        x       0
        y    0.01        ▏
        (5 rows)

        """)
    #expect(try !bars(grid, isWide: true).contains("█"))
    #expect(try bars(grid, isWide: true).contains("##"))
  }

  @Test("are labeled with names rather than objects")
  func labels() throws {
    let columns = [GridColumn("objectID"), GridColumn("name"), GridColumn("n", isNumeric: true)]
    let rows: [[Value]] = [[.named("A", 1), .string("家"), .integer(1)]]
    #expect(try bars(Grid(columns: columns, rows: rows)).hasPrefix("家 1  █"))
    let alone = Grid(columns: [columns[0], columns[2]], rows: [[rows[0][0], rows[0][2]]])
    #expect(try bars(alone).hasPrefix("A/1 1  █"))
  }

  @Test("draw other columns of numbers as lines")
  func sparklines() throws {
    let grid = Grid(
      columns: [
        GridColumn("year", isNumeric: true), GridColumn("n", isNumeric: true),
        GridColumn("price", isNumeric: true),
      ],
      rows: (0..<8).map { [.integer(2010 + $0), .integer($0), .double(Double(7 - $0))] })
    let text = try bars(grid)
    #expect(text.hasPrefix("2010 0\n2011 1  "))
    #expect(text.hasSuffix("price  █▇▆▅▄▃▂▁\n(8 rows)\n"))
  }

  @Test("count the values of one column, the most frequent first")
  func tally() throws {
    let values: [Value] = [.string("a"), .string("b"), .null, .string("b"), .boolean(true)]
    let lines = try bars(column(values)).split(separator: "\n").map { $0.prefix(6) }
    #expect(lines == ["b    2", "a    1", "YES  1", "NULL 1", "(5 row"])
  }

  @Test(
    "of numbers are ranges with round bounds",
    arguments: [
      ([1, 2, 2, 5], ["1", "2", "3", "4", "5"]),
      ([0, 99], (0..<20).map { "\($0 * 5) – \($0 * 5 + 4)" }),
      ([-10, 30], (-2..<7).map { "\($0 * 5) – \($0 * 5 + 4)" }),
      ([0.5, 2.5], nil), ([7], ["7"]), ([1e14, -1e14], nil),
    ] as [([Double], [String]?)])
  func ranges(numbers: [Double], labels: [String]?) throws {
    let histogram = try #require(Histogram(numbers: numbers))
    #expect(histogram.bars.count <= 20)
    #expect(histogram.bars.reduce(0) { $0 + $1.count } == numbers.count)
    if let labels { #expect(histogram.bars.map(\.label) == labels) }
  }

  @Test("of fractions have decimal bounds")
  func fractions() throws {
    let histogram = try #require(Histogram(numbers: [0.5, 0.55, 1.0]))
    #expect(histogram.bars.first?.label == "0.50 – 0.55")
    #expect(Histogram(numbers: [1e300, -1e300]) == nil)
    #expect(Histogram(numbers: []) == nil)
  }

  @Test(
    "of dates are years, months, days or hours of the zone",
    arguments: [
      (["1935-06-11", "2011-01-13"], "1935 – 1939", 16),
      (["2026-01-05", "2026-04-30"], "2026-01-05 – 2026-01-11", 17),
      (["2025-01-05", "2026-04-30"], "2025-01", 16),
      (["2026-04-01", "2026-04-09"], "2026-04-01", 9), (["2026-04-01"], "2026-04-01", 1),
    ])
  func dates(days: [String], first: String, count: Int) throws {
    let zone = ZoneRules(TimeZone(identifier: "Asia/Tokyo"))
    let dates = try days.map { try Timestamp($0, in: zone) }
    let histogram = try #require(Histogram(dates: dates, in: zone))
    #expect(
      histogram.bars.count == count && histogram.bars.first?.label == first, "\(histogram.bars)")
    #expect(histogram.bars.reduce(0) { $0 + $1.count } == days.count)
  }

  @Test("of any numbers and dates are at most twenty, and omit none")
  func generated() throws {
    var numbers = SeededNumbers(seed: 3)
    for _ in 0..<300 {
      let scale = pow(10, Double.random(in: -6...12, using: &numbers))
      let some = (0..<Int.random(in: 1...40, using: &numbers)).map { _ in
        Double.random(in: -scale...scale, using: &numbers)
      }
      guard let histogram = Histogram(numbers: some) else {
        #expect(some.count == 1)
        continue
      }
      #expect(
        histogram.bars.count <= 21 && histogram.bars.reduce(0) { $0 + $1.count } == some.count)
      let dates = some.map { Timestamp(microseconds: Int64($0 * 1e3)) }
      let days = try #require(Histogram(dates: dates, in: .utc))
      #expect(days.bars.count <= 20 && days.bars.reduce(0) { $0 + $1.count } == some.count)
    }
  }

  @Test("explain the required values if there is nothing to draw")
  func nothing() throws {
    let text = try bars(Grid(columns: [GridColumn("a"), GridColumn("b")], rows: [[.null, .null]]))
    #expect(text.contains("│ NULL │ NULL │") && text.contains("(bars needs a numeric column"))
  }
}
