import KuraRendering
import KuraValues
import Testing

@Suite struct OutputFormatTests {
  @Test("The formats have the names of the command line, in the order of the help")
  func names() {
    let names = OutputFormat.all.map(\.name)
    #expect(names == ["table", "list", "plain", "bars", "json", "jsonl", "csv", "tsv", "markdown"])
    #expect(OutputFormat.named("JSON")?.name == "json")
    #expect(OutputFormat.named("xml") == nil)
  }

  @Test("The example of each format is its output", arguments: OutputFormat.all.map(\.name))
  func example(name: String) throws {
    let format = OutputFormat.of(name)
    #expect(try Grid.sample.text(as: format) == format.example)
    #expect(format.help.hasSuffix(".") && format.help.count <= 80)
  }

  @Test("A closed pipe stops a format at once", arguments: OutputFormat.all.map(\.name))
  func closedPipe(name: String) {
    struct Closed: Error {}
    let grid = Grid(columns: [GridColumn("x")], rowCount: 100_000) { row, _ in .integer(Int64(row))
    }
    var calls = 0
    #expect(throws: Closed.self) {
      var out = OutputBuffer { _ in
        calls += 1
        throw Closed()
      }
      try grid.write(as: .of(name), RenderingOptions(), to: &out)
    }
    #expect(calls == 1)
  }

  @Test("A long result is passed on in pieces", arguments: OutputFormat.all.map(\.name))
  func pieces(name: String) throws {
    let grid = Grid(columns: [GridColumn("x")], rowCount: 50_000) { row, _ in .integer(Int64(row)) }
    var bytes: [UInt8] = []
    var longest = 0
    var out = OutputBuffer {
      bytes.append(contentsOf: $0)
      longest = max(longest, $0.count)
    }
    try grid.write(as: .of(name), RenderingOptions(), to: &out)
    #expect(longest < 70_000)
    #expect(try String(decoding: bytes, as: UTF8.self) == grid.text(as: .of(name)))
  }

  @Test("An error in a cell is rethrown", arguments: OutputFormat.all.map(\.name))
  func failingCell(name: String) {
    struct Failed: Error {}
    let grid = Grid(columns: [GridColumn("x")], rowCount: 1) { _, _ in throw Failed() }
    #expect(throws: Failed.self) { try grid.text(as: .of(name)) }
  }

  @Test(
    "An empty result is empty in the form of its format",
    arguments: [
      (
        "table",
        "┌───────┬───────┐\n│ title │ price │\n├───────┼───────┤\n└───────┴───────┘\n(0 rows)\n"
      ),
      ("list", "(0 rows)\n"), ("plain", ""), ("bars", "(0 rows)\n"), ("json", "[]\n"),
      ("jsonl", ""), ("csv", "title,price\n"),
      ("tsv", "title\tprice\n"), ("markdown", "| title | price |\n| ----- | ----: |\n"),
    ])
  func empty(name: String, expected: String) throws {
    #expect(try Grid.empty.text(as: .of(name)) == expected)
  }

  @Test("A grid without columns causes no error", arguments: OutputFormat.all.map(\.name))
  func noColumns(name: String) throws {
    _ = try Grid(columns: [], rows: [[], []]).text(as: .of(name))
    _ = try Grid(columns: [], rows: []).text(as: .of(name), RenderingOptions(width: 10))
  }
}
