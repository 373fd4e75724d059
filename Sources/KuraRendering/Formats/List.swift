import KuraDiagnostics

extension OutputFormat {
  /// A line for each value, as sqlite3's line mode; nothing is ever cut.
  static let list = OutputFormat(
    name: "list", help: "A line for each value, an empty line between rows.",
    example: #"""
      title = 父の誕生日
      date  = 1935-06-11
      age   = 91

      title = Bob "B" Hope, actor
      date  = NULL
      age   = 2.5

      """#
  ) { grid, options, out in
    if grid.rowCount == 0 {
      out.append(footer(rows: 0, hidden: []))
      return try out.endLine()
    }
    let cells = CellText(for: .people, options)
    let heads = alignedHeads(grid, options)
    for row in 0..<grid.rowCount {
      if row > 0 { try out.endLine() }
      if let section = grid.sections?.first(where: { $0.rows.lowerBound == row }) {
        cells.append(section, to: &out.bytes)
        out.append(":")
        try out.endLine()
      }
      for (i, column) in grid.columns.enumerated() {
        out.bytes.append(contentsOf: heads[i])
        cells.append(try grid.cell(row, i), in: column, to: &out.bytes)
        try out.endLine()
      }
    }
  }

  /// `title = ` of each column, with blanks that bring the signs under each other.
  private static func alignedHeads(_ grid: Grid, _ options: RenderingOptions) -> [[UInt8]] {
    let width = DisplayWidth(ambiguousIsWide: options.ambiguousIsWide)
    let names = grid.columns.map { VisibleText.of($0.name) }
    let longest = names.map(width.cells).max() ?? 0
    return names.map { Array((width.padded($0, to: longest) + " = ").utf8) }
  }
}
