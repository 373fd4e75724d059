extension OutputFormat {
  /// One line per row, with tabs between its values.
  static let plain = OutputFormat(
    name: "plain", help: "One line per row, with tabs between values; no header, no border.",
    example: """
      父の誕生日\t1935-06-11\t91
      Bob "B" Hope, actor\t\t2.5

      """
  ) { grid, options, out in
    let cells = CellText(for: .lines, options)
    for row in 0..<grid.rowCount {
      for (i, column) in grid.columns.enumerated() {
        if i > 0 { out.bytes.append(UInt8(ascii: "\t")) }
        cells.append(try grid.cell(row, i), in: column, to: &out.bytes)
      }
      try out.endLine()
    }
  }
}
