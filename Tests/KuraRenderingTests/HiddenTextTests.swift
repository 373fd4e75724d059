import KuraValues
import Testing

@testable import KuraRendering

@Suite("Hidden characters of texts")
struct HiddenTextTests {
  private static let grid = Grid(
    columns: [GridColumn("k\u{9B}")],
    rows: [[.string("\u{7F}\u{85}\u{2028}\u{200B}\u{1F3F4}\u{E0067}誕\u{A0}")]])

  private func text(_ format: OutputFormat, isTerminal: Bool) throws -> String {
    try Self.grid.text(as: format, RenderingOptions(isTerminal: isTerminal))
  }

  @Test("are escaped in JSON: control characters and separators everywhere, the rest at a terminal")
  func json() throws {
    #expect(
      try text(.jsonl, isTerminal: false)
        == #"{"k\u009b": "\u007f\u0085\u2028"# + "\u{200B}\u{1F3F4}\u{E0067}誕\u{A0}\"}\n")
    #expect(
      try text(.jsonl, isTerminal: true)
        == #"{"k\u009b": "\u007f\u0085\u2028\u200b"# + "\u{1F3F4}\u{E0067}誕\u{A0}\"}\n")
  }

  @Test("are escaped in csv and tsv only at a terminal")
  func separated() throws {
    let raw = "\u{7F}\u{85}\u{2028}\u{200B}\u{1F3F4}\u{E0067}誕\u{A0}\n"
    for format in [OutputFormat.csv, .tsv] {
      #expect(try text(format, isTerminal: false) == "k\u{9B}\n" + raw)
      #expect(
        try text(format, isTerminal: true)
          == #"k\u{9B}"# + "\n" + #"\u{7F}\u{85}\u{2028}\u{200B}"# + "\u{1F3F4}\u{E0067}誕\u{A0}\n")
    }
  }

  @Test("are shown in the text for null", arguments: [OutputFormat.table, .list, .markdown])
  func null(format: OutputFormat) throws {
    let grid = Grid(columns: [GridColumn("k")], rows: [[.null]])
    let text = try grid.text(as: format, RenderingOptions(nullText: "\u{1B}[2J"))
    #expect(text.contains(#"\u{1B}[2J"#))
  }

  @Test("above U+FFFF are escaped as pairs")
  func pairs() throws {
    let grid = Grid(columns: [GridColumn("k")], rows: [[.string("x\u{E0041}")]])
    #expect(
      try grid.text(as: .jsonl, RenderingOptions(isTerminal: true))
        == #"{"k": "x\udb40\udc41"}"# + "\n")
  }
}
