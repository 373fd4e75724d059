import KuraDiagnostics
import KuraValues
import TestSupport
import Testing

@testable import KuraRendering

/// Every line of a drawn result fits the terminal, whatever the result and the terminal are.
@Suite("At every width")
struct FittingTests {
  private let measure = DisplayWidth()

  private static let pieces = [
    "a", "Z", "7", " ", "  ", "父", "が", "か\u{3099}", "👨‍👩‍👧", "👩🏽‍🔬", "❤️", "é", "\n", "\t", "\"", "\\",
    "NULL",
    "…", "word ", "長い文章", "\u{200B}", "ｱ", "𠮷", "한", "|",
  ]

  private func text(_ numbers: inout SeededNumbers) -> String {
    (0..<Int.random(in: 0...12, using: &numbers)).map { _ in
      Self.pieces.randomElement(using: &numbers) ?? ""
    }.joined()
  }

  private func value(_ kind: Int, _ row: Int, _ numbers: inout SeededNumbers) -> Value {
    if Int.random(in: 0..<6, using: &numbers) == 0 { return .null }
    return switch kind {
    case 0: .named("MemoDate", Int64(row + 1))
    case 1: .integer(Int64.random(in: -1_000_000...1_000_000, using: &numbers))
    case 2: .seconds(Int64(Int.random(in: 0...2_000_000_000, using: &numbers)))
    case 3: .boolean(Bool.random(using: &numbers))
    case 4: .list([.string(text(&numbers)), .integer(1)])
    default: .string(text(&numbers))
    }
  }

  /// Returns a grid of some columns and rows; some have sections, some a limit.
  private func grid(_ numbers: inout SeededNumbers) -> Grid {
    let kinds = (0..<Int.random(in: 1...12, using: &numbers)).map {
      $0 == 0 ? Int.random(in: 0...5, using: &numbers) : Int.random(in: 1...8, using: &numbers)
    }
    let rows = (0..<Int.random(in: 0...6, using: &numbers)).map { row in
      kinds.map { value($0, row, &numbers) }
    }
    let columns = kinds.enumerated().map { i, kind in
      GridColumn(i == 0 ? "objectID" : "列\(i)" + text(&numbers), isNumeric: kind == 1)
    }
    var grid = Grid(columns: columns, rows: rows)
    if rows.count > 2, Bool.random(using: &numbers) {
      grid.sections = [
        GridSection(.string(text(&numbers)), rows: 0..<2),
        GridSection(.null, rows: 2..<rows.count),
      ]
    }
    grid.extent = GridExtent(total: rows.count + 1200, offset: 1, limit: rows.count)
    return grid
  }

  private func widths(_ text: String) -> [Int] {
    text.split(separator: "\n").map { measure.cells(String($0)) }
  }

  @Test("no line is too wide, all lines of a frame have one width, and no character is split")
  func generated() throws {
    var numbers = SeededNumbers(seed: 17)
    for _ in 0..<TestLength.count(50, long: 150) {
      let grid = grid(&numbers)
      for width in [1, 2, 3, 5, 8] + (0..<12).map({ _ in Int.random(in: 9...200, using: &numbers) })
      {
        for format in ["table", "bars"] {
          let text = try grid.text(as: .of(format), RenderingOptions(width: width))
          // A frame around one cell takes five.
          let room = max(width, 5)
          #expect((widths(text).max() ?? 0) <= room, "\(format) at \(width):\n\(text)")
          #expect(!text.contains("\u{FFFD}"))
          let frame = text.split(separator: "\n").filter { "┌│├└".contains($0.first ?? " ") }
          #expect(Set(frame.map { measure.cells(String($0)) }).count < 2, "at \(width):\n\(text)")
        }
      }
    }
  }

  @Test("a table with many columns of text shows as many as fit")
  func manyColumns() throws {
    let columns = (1...31).map { GridColumn("column \($0)") }
    let grid = Grid(columns: columns, rows: [columns.map { .string("text of \($0.name)") }])
    for width in 1...200 {
      let text = try grid.text(as: .of("table"), RenderingOptions(width: width))
      #expect((widths(text).max() ?? 0) <= max(width, 5), "at \(width):\n\(text)")
    }
    let list = try grid.text(as: .of("table"), RenderingOptions(width: 80))
    #expect(list.contains("column 31 = text of column 31\n"))
    #expect(
      list.hasSuffix(
        "(1 row; shown as a list: 31 columns do not fit in a table of 80 characters)\n"))
  }

  @Test("dates and numbers are complete")
  func whole() throws {
    let long = String(repeating: "長い", count: 40)
    let grid = Grid(
      columns: [GridColumn("t"), GridColumn("date"), GridColumn("n", isNumeric: true)],
      rows: [[.string(long), .seconds(1_279_617_600), .integer(-123_456_789)]])
    for width in 27...200 {
      let text = try grid.text(as: .of("table"), RenderingOptions(width: width))
      #expect(text.contains("2010-07-20T09:20:00Z") || !text.contains("2010"), "\(text)")
      #expect(text.contains("-123456789") || !text.contains("-123"), "\(text)")
    }
  }

  @Test("objects of one entity are numbers if other columns gain space")
  func numbers() throws {
    let rows: [[Value]] = (1...3).map { [.named("MemoDate", $0), .string("父の誕生日と母の誕生日")] }
    let grid = Grid(columns: [GridColumn("objectID"), GridColumn("title")], rows: rows)
    #expect(try grid.text(as: .of("table"), RenderingOptions(width: 39)).contains("MemoDate/3"))
    #expect(
      try grid.text(as: .of("table"), RenderingOptions(width: 37)) == """
        ┌──────────┬────────────────────────┐
        │ objectID │ title                  │
        ├──────────┼────────────────────────┤
        │        1 │ 父の誕生日と母の誕生日 │
        │        2 │ 父の誕生日と母の誕生日 │
        │        3 │ 父の誕生日と母の誕生日 │
        └──────────┴────────────────────────┘
        (3 rows; objectID 1 is MemoDate/1)

        """)
    var mixed = rows
    mixed[1][0] = .named("Task", 2)
    let text = try Grid(columns: grid.columns, rows: mixed).text(
      as: .of("table"), RenderingOptions(width: 37))
    #expect(text.contains("Task/2") && text.contains("MemoDate/1"))
  }

  @Test("a table of a million rows begins at once")
  func millions() throws {
    struct Enough: Error {}
    let grid = Grid(
      columns: [GridColumn("n", isNumeric: true), GridColumn("t")], rowCount: 1_000_000
    ) {
      row, column in
      column == 0 ? .integer(Int64(row)) : .string("row \(row)")
    }
    var shown = ""
    var out = OutputBuffer(limit: 1_000) { bytes in
      shown += String(decoding: bytes, as: UTF8.self)
      throw Enough()
    }
    var options = RenderingOptions(width: 80)
    options.palette = .dark
    #expect(throws: Enough.self) { try grid.write(as: .of("table"), options, to: &out) }
    // The width of the last number is known.
    #expect(shown.contains("\u{1B}[36m0\u{1B}[0m │ row 0 "))
    #expect(MeasuredRows(1_000_000, options).map(\.self).count < 5_000)
    #expect(MeasuredRows(1_000_000, options).contains(999_999))
  }
}
