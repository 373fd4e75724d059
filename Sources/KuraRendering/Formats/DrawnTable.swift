import KuraDiagnostics

/// Draws a table with a frame.
struct DrawnTable {
  private let grid: Grid
  private let widths: [Int]
  private let row: TableRow
  private let box: TableBox
  private let options: RenderingOptions

  init(_ grid: Grid, _ layout: TableLayout, _ options: RenderingOptions) {
    box = options.ambiguousIsWide ? .ascii : .lines
    widths = layout.widths
    var columns = grid.columns
    if layout.showsNumbers { columns[0].isNumeric = true }
    row = TableRow(
      widths, columns, options, left: box.left, between: box.between, right: box.right)
    (self.grid, self.options) = (grid, options)
  }
}

extension DrawnTable {
  func write(_ cells: inout TableCells, _ out: inout OutputBuffer) throws {
    try box.top.write(widths, to: &out)
    try row.write(&cells, .heading, to: &out)
    if let sections = grid.sections, !sections.isEmpty {
      for section in sections { try write(section, &cells, &out) }
    } else {
      try box.middle.write(widths, to: &out)
      for i in 0..<grid.rowCount { try row.write(&cells, .row(i), to: &out) }
    }
    try box.bottom.write(widths, to: &out)
  }

  /// Writes a heading between two rules, above its rows.
  private func write(
    _ section: GridSection, _ cells: inout TableCells, _ out: inout OutputBuffer
  ) throws {
    let room = widths.reduce(0) { $0 + $1 + 3 } - 3
    try box.middle.above.write(widths, to: &out)
    out.append(box.left)
    cells.read(section)
    let used = cells.fit(room)
    out.bytes.append(cells.text, painted: options.palette?.heading)
    out.append(String(repeating: " ", count: max(0, room - used)) + box.right)
    try out.endLine()
    try box.middle.below.write(widths, to: &out)
    for i in section.rows { try row.write(&cells, .row(i), to: &out) }
  }
}

/// The lines around and between the cells of a table.
private struct TableBox {
  var top: TableRule
  var middle: TableRule
  var bottom: TableRule
  var left: String
  var between: String
  var right: String

  static let lines = TableBox(
    top: TableRule("┌", "─", "┬", "┐"), middle: TableRule("├", "─", "┼", "┤"),
    bottom: TableRule("└", "─", "┴", "┘"), left: "│ ", between: " │ ", right: " │")

  /// For terminals whose box characters occupy two cells.
  static let ascii = TableBox(
    top: .plain, middle: .plain, bottom: .plain, left: "| ", between: " | ", right: " |")
}

/// `├─────┼─────┤`
private struct TableRule {
  var left: String
  var line: String
  var cross: String
  var right: String

  init(_ left: String, _ line: String, _ cross: String, _ right: String) {
    (self.left, self.line, self.cross, self.right) = (left, line, cross, right)
  }

  static let plain = TableRule("+", "-", "+", "+")

  /// The rule above a heading, at which the columns end.
  var above: TableRule { TableRule(left, line, cross == "┼" ? "┴" : cross, right) }
  /// The rule below a heading, at which they begin again.
  var below: TableRule { TableRule(left, line, cross == "┼" ? "┬" : cross, right) }

  func write(_ widths: [Int], to out: inout OutputBuffer) throws {
    let lines = widths.map { String(repeating: line, count: $0 + 2) }
    out.append(left + lines.joined(separator: cross) + right)
    try out.endLine()
  }
}
