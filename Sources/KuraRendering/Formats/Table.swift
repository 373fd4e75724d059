import KuraDiagnostics

extension OutputFormat {
  /// A drawn table; on a terminal it fits, elsewhere nothing is cut.
  static let table = OutputFormat(
    name: "table", help: "A drawn table that fits the terminal; off a terminal nothing is cut.",
    example: #"""
      ┌─────────────────────┬────────────┬─────┐
      │ title               │ date       │ age │
      ├─────────────────────┼────────────┼─────┤
      │ 父の誕生日          │ 1935-06-11 │  91 │
      │ Bob "B" Hope, actor │ NULL       │ 2.5 │
      └─────────────────────┴────────────┴─────┘
      (2 rows)

      """#
  ) { grid, options, out in
    var cells = TableCells(grid, options)
    let measures = try cells.measure()
    let heading = cells.widestHeading(of: grid.sections ?? [])
    let layout = TableLayout(measures, room: options.width, heading: heading)
    if !layout.widths.isEmpty {
      let box = options.ambiguousIsWide ? TableBox.ascii : .lines
      let row = TableRow(
        layout.widths, grid.columns, left: box.left, between: box.between, right: box.right)
      try box.top.write(layout.widths, to: &out)
      try row.write(&cells, .heading, to: &out)
      if let sections = grid.sections, !sections.isEmpty {
        try write(sections, box, layout.widths, row, &cells, to: &out)
      } else {
        try box.middle.write(layout.widths, to: &out)
        for i in 0..<grid.rowCount { try row.write(&cells, .row(i), to: &out) }
      }
      try box.bottom.write(layout.widths, to: &out)
    }
    let hidden = grid.columns[layout.widths.count...].map { VisibleText.of($0.name) }
    try writeFooter(footer(rows: grid.rowCount, hidden: hidden), options, to: &out)
  }

  /// Each heading between two rules of its own, over its rows.
  private static func write(
    _ sections: [GridSection], _ box: TableBox, _ widths: [Int], _ row: TableRow,
    _ cells: inout TableCells, to out: inout OutputBuffer
  ) throws {
    let room = widths.reduce(0) { $0 + $1 + 3 } - 3
    for section in sections {
      try box.middle.above.write(widths, to: &out)
      out.append(box.left)
      cells.read(section)
      let used = cells.fit(room)
      out.bytes.append(contentsOf: cells.text)
      out.append(String(repeating: " ", count: max(0, room - used)) + box.right)
      try out.endLine()
      try box.middle.below.write(widths, to: &out)
      for i in section.rows { try row.write(&cells, .row(i), to: &out) }
    }
  }

  /// Names of hidden columns may fill more lines than one, and are not cut themselves.
  private static func writeFooter(
    _ text: String, _ options: RenderingOptions, to out: inout OutputBuffer
  ) throws {
    let width = DisplayWidth(ambiguousIsWide: options.ambiguousIsWide)
    var line = ""
    for word in text.split(separator: " ") {
      if let room = options.width, !line.isEmpty, width.cells("\(line) \(word)") > room {
        out.append(line)
        try out.endLine()
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    out.append(line)
    try out.endLine()
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

  /// For terminals where the lines of a box take two cells each.
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

  /// The rule over a heading, where the columns end.
  var above: TableRule { TableRule(left, line, cross == "┼" ? "┴" : cross, right) }
  /// The rule under a heading, where they begin again.
  var below: TableRule { TableRule(left, line, cross == "┼" ? "┬" : cross, right) }

  func write(_ widths: [Int], to out: inout OutputBuffer) throws {
    let lines = widths.map { String(repeating: line, count: $0 + 2) }
    out.append(left + lines.joined(separator: cross) + right)
    try out.endLine()
  }
}

/// What stands under a table: `(17 rows; not shown: date, notifiable)`.
func footer(rows: Int, hidden: [String]) -> String {
  let count = rows == 1 ? "1 row" : "\(rows) rows"
  return hidden.isEmpty ? "(\(count))" : "(\(count); not shown: \(hidden.joined(separator: ", ")))"
}
