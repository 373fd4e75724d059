import KuraValues
import Testing

@testable import KuraRendering

@Suite("Drawn results")
struct DrawingTests {
  private var painted: RenderingOptions {
    var options = RenderingOptions(isTerminal: true)
    options.palette = .dark
    return options
  }

  @Test("have colors according to the meaning of values")
  func colors() throws {
    let grid = Grid(
      columns: [GridColumn("a"), GridColumn("b"), GridColumn("c")],
      rows: [
        [.null, .integer(1), .seconds(0)], [.string("NULL"), .named("A", 1), .boolean(true)],
      ])
    let text = try grid.text(as: .of("table"), painted)
    for part in [
      "\u{1B}[1ma\u{1B}[0m", "\u{1B}[90mNULL\u{1B}[0m", "\u{1B}[36m1\u{1B}[0m",
      "\u{1B}[35m1970-01-01T00:00:00Z\u{1B}[0m", "│ \"NULL\" │", "\u{1B}[94mA/1\u{1B}[0m", "│ YES",
      "\u{1B}[90m(2 rows)\u{1B}[0m",
    ] { #expect(text.contains(part), "\(part.debugDescription)") }
    #expect(
      try grid.text(as: .of("list"), painted).contains("\u{1B}[1ma = \u{1B}[0m\u{1B}[90mNULL"))
    for format in ["csv", "tsv", "json", "jsonl", "markdown", "plain"] {
      #expect(try !grid.text(as: .of(format), painted).contains("\u{1B}"))
    }
  }

  @Test("differ without colors only in the colors")
  func uncolored() throws {
    for format in ["table", "list", "bars"] {
      let text = try Grid.memos.text(as: .of(format), painted)
      #expect(
        text.replacing(/\u{1B}\[[0-9]*m/, with: "")
          == (try Grid.memos.text(as: .of(format), RenderingOptions(isTerminal: true))))
    }
  }

  @Test("keep their borders in place after emoji of several characters, only on those lines")
  func places() throws {
    var options = RenderingOptions(width: 40, isTerminal: true)
    options.canPlace = true
    let grid = Grid(
      columns: [GridColumn("a"), GridColumn("b")],
      rows: [[.string("👩🏽‍🔬"), .integer(1)], [.string("誕"), .integer(2)]])
    let lines = try grid.text(as: .of("table"), options).split(separator: "\n")
    #expect(lines[3] == "\u{1B}[?7l│ 👩🏽‍🔬\u{1B}[5G │ 1 │\u{1B}[?7h")
    #expect(lines[4] == "│ 誕 │ 2 │")
    #expect(lines.filter { $0.contains("\u{1B}") }.count == 1)
  }

  @Test("show Booleans as boxes if requested, only in table and list")
  func booleans() throws {
    var options = RenderingOptions()
    options.booleans = .boxes
    let grid = Grid(
      columns: [GridColumn("a"), GridColumn("b")], rows: [[.boolean(true), .boolean(false)]])
    #expect(try grid.text(as: .of("table"), options).contains("│ ☑ │ ☒ │"))
    #expect(try grid.text(as: .of("list"), options) == "a = ☑\nb = ☒\n")
    #expect(try grid.text(as: .of("plain"), options) == "YES\tNO\n")
    #expect(try grid.text(as: .of("markdown"), options).contains("| YES | NO  |"))
    #expect(try grid.text(as: .of("csv"), options) == "a,b\ntrue,false\n")
  }

  @Test("report their limits")
  func footers() throws {
    func footer(_ total: Int?, offset: Int = 0, limit: Int?, rows: Int = 2) throws -> String {
      var grid = Grid(
        columns: [GridColumn("x")], rows: Array(repeating: [.integer(1)], count: rows))
      grid.extent = GridExtent(total: total, offset: offset, limit: limit)
      return String(try grid.text(as: .of("table")).split(separator: "\n").last ?? "")
    }
    #expect(try footer(1204, limit: 2) == "(2 of 1,204 rows; limit 2)")
    #expect(try footer(nil, limit: 2) == "(2 rows; limit 2)")
    #expect(try footer(nil, limit: 3) == "(2 rows)")
    #expect(try footer(2, limit: 2) == "(2 rows)")
    #expect(try footer(5, offset: 3, limit: nil) == "(2 of 5 rows; offset 3)")
    #expect(try footer(5, offset: 3, limit: 9) == "(2 of 5 rows; offset 3)")
    #expect(try footer(1, offset: 1, limit: nil, rows: 0) == "(0 of 1 row; offset 1)")
    #expect(try footer(1_234_567, limit: 1, rows: 1) == "(1 of 1,234,567 rows; limit 1)")
  }
}
