import KuraRendering
import KuraValues
import Testing

@Suite struct ListAndMarkdownTests {
  @Test("A list has one line per value, uncut on any terminal")
  func list() throws {
    let expected = #"""
      objectID   = MemoDate/1
      title      = 父の誕生日
      category   = Family
      date       = 1935-06-11
      notifiable = YES
      price      = 12

      objectID   = MemoDate/2
      title      = がくせいの日, "X"
      category   = NULL
      date       = NULL
      notifiable = NO
      price      = 2.0

      objectID   = MemoDate/10
      title      = "👨‍👩‍👧 at home\nand | away"
      category   = ""
      date       = 2010-07-20
      notifiable = NULL
      price      = 0.10000000000000000001

      """#
    #expect(try Grid.memos.text(as: .of("list")) == expected)
    #expect(try Grid.memos.text(as: .of("list"), RenderingOptions(width: 10)) == expected)
  }

  @Test("The names of a list are aligned by display width")
  func names() throws {
    let grid = Grid(
      columns: [GridColumn("誕生日"), GridColumn("か\u{3099}"), GridColumn("x")], rows: [[]])
    #expect(
      try grid.text(as: .of("list")) == """
        誕生日 = NULL
        か\u{3099}     = NULL
        x      = NULL

        """)
  }

  @Test("Markdown is aligned, with numbers on the right, and escapes what would end a cell")
  func markdown() throws {
    #expect(
      try Grid.memos.text(as: .of("markdown"), RenderingOptions(width: 20)) == #"""
        | objectID    | title                   | category | date       | notifiable |                  price |
        | ----------- | ----------------------- | -------- | ---------- | ---------- | ---------------------: |
        | MemoDate/1  | 父の誕生日              | Family   | 1935-06-11 | YES        |                     12 |
        | MemoDate/2  | がくせいの日, "X"       | NULL     | NULL       | NO         |                    2.0 |
        | MemoDate/10 | 👨‍👩‍👧 at home\nand \| away |          | 2010-07-20 | NULL       | 0.10000000000000000001 |

        """#)
  }

  @Test(
    "Markdown escapes a backslash only if it would escape something",
    arguments: [
      (#"a|b"#, #"a\|b"#), (#"a\|b"#, #"a\\\|b"#), (#"C:\new"#, #"C:\new"#), (#"a\"#, #"a\"#),
      ("<br>", #"\<br>"#), (#"\\"#, #"\\\"#), ("a*b_c", "a*b_c"),
    ])
  func escapes(text: String, expected: String) throws {
    let lines = try Grid(.string(text)).text(as: .of("markdown")).split(separator: "\n")
    #expect(
      lines[2] == "| \(expected + String(repeating: " ", count: max(0, 3 - expected.count))) |")
  }
}
