import KuraDiagnostics
import TestSupport

/// A screen as a picture: SVG with a text for each run of cells in one style.
///
/// Every run is stretched to its cells, whatever the reader's font: a wide character takes two.
struct ScreenPicture {
  private let screen: ScreenModel
  private let ground: TerminalColors
  private let width = DisplayWidth()

  private static let cell = (width: 8.4, height: 16.8)
  private static let margin = 12.0

  init(_ screen: ScreenModel, on ground: TerminalColors) {
    self.screen = screen
    self.ground = ground
  }

  /// The complete file.
  var svg: String {
    let lines = screen.lines.count
    let size = (
      Self.number(Double(screen.columns) * Self.cell.width + 2 * Self.margin),
      Self.number(Double(max(lines, screen.cursor.row + 1)) * Self.cell.height + 2 * Self.margin)
    )
    let rows = screen.rows.prefix(lines).enumerated().map { picture(of: $0.element, $0.offset) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size.0)" height="\(size.1)" \
      viewBox="0 0 \(size.0) \(size.1)" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \
      'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', monospace" font-size="14">
      <rect width="100%" height="100%" rx="8" fill="\(ground.paper)"/>
      \(cursor)
      \(rows.joined())</svg>

      """
  }

  private var cursor: String {
    rectangle(
      row: screen.cursor.row, columns: screen.cursor.column..<screen.cursor.column + 1,
      ground.cursor)
  }

  private func picture(of row: ScreenModel.Row, _ number: Int) -> String {
    runs(of: row).map { run in
      let paper =
        run.style.isReversed
        ? rectangle(row: number, columns: run.columns, ground.ink(run.style)) : ""
      return paper + (paper.isEmpty ? "" : "\n") + text(of: run, row: number)
    }.joined()
  }
}

extension ScreenPicture {
  /// Neighboring characters with the same style and width. Otherwise a font whose wide characters
  /// do not have the width of two others would move the following ones.
  private struct Run {
    var text: String
    var columns: Range<Int>
    var style: ScreenStyle
    var isWide: Bool
  }

  /// Returns the runs without spaces, except reversed ones.
  private func runs(of row: ScreenModel.Row) -> [Run] {
    var runs: [Run] = []
    for (column, cell) in row.cells.enumerated() {
      guard let character = cell.character else { continue }
      let columns = column..<column + width.cells(String(character))
      let isWide = columns.count > 1
      if let last = runs.last, last.style == cell.style, last.isWide == isWide {
        runs[runs.count - 1].text.append(character)
        runs[runs.count - 1].columns = last.columns.lowerBound..<columns.upperBound
      } else {
        runs.append(
          Run(text: String(character), columns: columns, style: cell.style, isWide: isWide))
      }
    }
    return runs.filter { $0.style.isReversed || $0.text.contains { $0 != " " } }
  }

  private func text(of run: Run, row: Int) -> String {
    let style = run.style
    let marks = [
      style.isBold ? " font-weight=\"bold\"" : "",
      style.isUnderlined ? " text-decoration=\"underline\"" : "",
      style.isDim ? " opacity=\"0.6\"" : "",
    ]
    return """
      <text x="\(Self.x(run.columns.lowerBound))" y="\(Self.y(row, part: 0.75))" \
      textLength="\(Self.number(Double(run.columns.count) * Self.cell.width))" xml:space="preserve" \
      fill="\(style.isReversed ? ground.paper : ground.ink(style))"\(marks.joined())>\
      \(Self.escaped(run.text))</text>

      """
  }

  private func rectangle(row: Int, columns: Range<Int>, _ color: String) -> String {
    """
    <rect x="\(Self.x(columns.lowerBound))" y="\(Self.y(row, part: 0))" \
    width="\(Self.number(Double(columns.count) * Self.cell.width))" \
    height="\(Self.number(Self.cell.height))" fill="\(color)"/>
    """
  }

  private static func x(_ column: Int) -> String { number(margin + Double(column) * cell.width) }

  private static func y(_ row: Int, part: Double) -> String {
    number(margin + (Double(row) + part) * cell.height)
  }

  /// Returns a number with at most one decimal.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

/// The colours of a terminal.
struct TerminalColors: Sendable {
  /// The name of the `.theme`.
  var name: String
  var paper: String
  var cursor: String
  private var usual: String
  private var colors: [String]

  /// Returns the colour of text.
  func ink(_ style: ScreenStyle) -> String { style.color.map { colors[$0] } ?? usual }

  static let dark = TerminalColors(
    name: "dark", paper: "#0d1117", cursor: "#6e7681", usual: "#e6edf3",
    colors: [
      "#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4",
      "#8b949e", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff",
    ])
  static let light = TerminalColors(
    name: "light", paper: "#f6f8fa", cursor: "#afb8c1", usual: "#1f2328",
    colors: [
      "#24292f", "#cf222e", "#116329", "#7d4e00", "#0969da", "#8250df", "#1b7c83", "#6e7781",
      "#57606a", "#a40e26", "#1a7f37", "#633c01", "#218bff", "#a475f9", "#3192aa", "#8c959f",
    ])
}
