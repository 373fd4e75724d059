import KuraDiagnostics

extension OutputFormat {
  /// A table of GitHub's Markdown, aligned for readers of the source.
  static let markdown = OutputFormat(
    name: "markdown", help: "A table in GitHub's Markdown.",
    example: #"""
      | title               | date       |  age |
      | ------------------- | ---------- | ---: |
      | 父の誕生日          | 1935-06-11 |   91 |
      | Bob "B" Hope, actor | NULL       |  2.5 |

      """#, isForPeople: true
  ) { grid, options, out in
    var cells = TableCells(grid, options, escape: escapeMarkdown)
    var measures = try cells.measure(0..<grid.rowCount)
    for i in measures.indices { measures[i].cells = max(measures[i].cells, shortestRule(grid, i)) }
    let row = TableRow(measures.map(\.cells), grid.columns, left: "| ", between: " | ", right: " |")
    for (i, section) in (grid.sections ?? []).enumerated() {
      if i > 0 { try out.endLine() }
      cells.read(section)
      out.append("### ")
      out.bytes.append(contentsOf: cells.text)
      try out.endLine()
      try out.endLine()
      try write(section.rows, grid, row, measures, &cells, to: &out)
    }
    if grid.sections?.isEmpty ?? true {
      try write(0..<grid.rowCount, grid, row, measures, &cells, to: &out)
    }
  }

  private static func write(
    _ rows: Range<Int>, _ grid: Grid, _ row: TableRow, _ measures: [ColumnMeasure],
    _ cells: inout TableCells, to out: inout OutputBuffer
  ) throws {
    try row.write(&cells, .heading, to: &out)
    try writeRule(grid, measures.map(\.cells), to: &out)
    for i in rows { try row.write(&cells, .row(i), to: &out) }
  }

  private static func shortestRule(_ grid: Grid, _ column: Int) -> Int {
    grid.columns[column].isNumeric ? 4 : 3
  }

  /// Writes `| ------------------- | ---: |`.
  private static func writeRule(_ grid: Grid, _ widths: [Int], to out: inout OutputBuffer) throws {
    let rules = zip(grid.columns, widths).map { column, width in
      String(repeating: "-", count: column.isNumeric ? width - 1 : width)
        + (column.isNumeric ? ":" : "")
    }
    out.append("| " + rules.joined(separator: " | ") + " |")
    try out.endLine()
  }

  /// Escapes characters that would end the cell or begin HTML, and backslashes that would otherwise
  /// escape the next character.
  private static func escapeMarkdown(_ bytes: inout [UInt8]) {
    guard bytes.contains(where: isSpecial) else { return }
    let text = bytes
    bytes.removeAll(keepingCapacity: true)
    for (i, byte) in text.enumerated() {
      let next = i + 1 < text.count ? text[i + 1] : 0x20
      switch byte {
      case UInt8(ascii: "|"), UInt8(ascii: "<"): bytes.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "\\") where isPunctuation(next): bytes.append(UInt8(ascii: "\\"))
      default: break
      }
      bytes.append(byte)
    }
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "|") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\\")
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
