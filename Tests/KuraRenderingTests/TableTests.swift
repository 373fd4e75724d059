import KuraDiagnostics
import KuraRendering
import KuraValues
import Testing

@Suite struct TableTests {
  private func table(_ width: Int?, of grid: Grid = .memos) throws -> String {
    try grid.text(as: .of("table"), RenderingOptions(width: width))
  }

  @Test("Without a terminal nothing is cut, and kanji, NFD and emoji are aligned")
  func whole() throws {
    let expected = #"""
      ┌─────────────┬──────────────────────────┬──────────┬────────────┬────────────┬────────────────────────┐
      │ objectID    │ title                    │ category │ date       │ notifiable │                  price │
      ├─────────────┼──────────────────────────┼──────────┼────────────┼────────────┼────────────────────────┤
      │ MemoDate/1  │ 父の誕生日               │ Family   │ 1935-06-11 │ YES        │                     12 │
      │ MemoDate/2  │ か\#u{3099}くせいの日, "X"        │ NULL     │ NULL       │ NO         │                    2.0 │
      │ MemoDate/10 │ "👨‍👩‍👧 at home\nand | away" │ ""       │ 2010-07-20 │ NULL       │ 0.10000000000000000001 │
      └─────────────┴──────────────────────────┴──────────┴────────────┴────────────┴────────────────────────┘
      (3 rows)

      """#
    #expect(try table(nil) == expected)
    #expect(try table(120) == expected)
  }

  @Test("At 100 columns long text is cut")
  func hundred() throws {
    #expect(
      try table(100) == #"""
        ┌──────────┬─────────────────────────┬──────────┬────────────┬────────────┬────────────────────────┐
        │ objectID │ title                   │ category │ date       │ notifiable │                  price │
        ├──────────┼─────────────────────────┼──────────┼────────────┼────────────┼────────────────────────┤
        │        1 │ 父の誕生日              │ Family   │ 1935-06-11 │ YES        │                     12 │
        │        2 │ か\#u{3099}くせいの日, "X"       │ NULL     │ NULL       │ NO         │                    2.0 │
        │       10 │ "👨‍👩‍👧 at home\nand | awa… │ ""       │ 2010-07-20 │ NULL       │ 0.10000000000000000001 │
        └──────────┴─────────────────────────┴──────────┴────────────┴────────────┴────────────────────────┘
        (3 rows; objectID 1 is MemoDate/1)

        """#)
  }

  @Test("At 80 and 40 columns the columns on the right are left out, and the footer names them")
  func narrow() throws {
    #expect(
      try table(80) == #"""
        ┌─────────────┬──────────────────────────┬──────────┬────────────┬────────────┐
        │ objectID    │ title                    │ category │ date       │ notifiable │
        ├─────────────┼──────────────────────────┼──────────┼────────────┼────────────┤
        │ MemoDate/1  │ 父の誕生日               │ Family   │ 1935-06-11 │ YES        │
        │ MemoDate/2  │ か\#u{3099}くせいの日, "X"        │ NULL     │ NULL       │ NO         │
        │ MemoDate/10 │ "👨‍👩‍👧 at home\nand | away" │ ""       │ 2010-07-20 │ NULL       │
        └─────────────┴──────────────────────────┴──────────┴────────────┴────────────┘
        (3 rows; not shown: price; .mode list shows all)

        """#)
    #expect(
      try table(40) == #"""
        ┌──────────┬────────────────┬──────────┐
        │ objectID │ title          │ category │
        ├──────────┼────────────────┼──────────┤
        │        1 │ 父の誕生日     │ Family   │
        │        2 │ か\#u{3099}くせいの日,… │ NULL     │
        │       10 │ "👨‍👩‍👧 at home\n… │ ""       │
        └──────────┴────────────────┴──────────┘
        (3 rows; objectID 1 is MemoDate/1; not
        shown: date, notifiable, price; .mode
        list shows all)

        """#)
  }

  @Test("No line is wider than the terminal, and all lines of the box have the same width")
  func everyWidth() throws {
    let width = DisplayWidth()
    for columns in 9...130 {
      let lines = try table(columns).split(separator: "\n")
      #expect((lines.map { width.cells(String($0)) }.max() ?? 0) <= columns, "at \(columns)")
      let frame = lines.filter { "┌│├└".contains($0.first ?? " ") }
      #expect(Set(frame.map { width.cells(String($0)) }).count < 2, "at \(columns)")
    }
    for columns in [-1, 0, 1, 4, Int.max, Int.min] { _ = try table(columns) }
  }

  @Test("If ambiguous characters are wide, the box is ASCII")
  func ascii() throws {
    let grid = Grid(.string("○日"))
    #expect(
      try grid.text(as: .of("table"), RenderingOptions(ambiguousIsWide: true)) == """
        +------+
        | x    |
        +------+
        | ○日 |
        +------+
        (1 row)

        """)
  }

  @Test("A text for null is set, and headings are harmless")
  func nullText() throws {
    let grid = Grid(columns: [GridColumn("a\u{1B}b")], rows: [[.null]])
    let text = try grid.text(as: .of("table"), RenderingOptions(nullText: "–"))
    #expect(text.contains(#"│ a\u{1B}b │"#) && text.contains("│ –        │"))
  }
}
