import KuraDiagnostics
import KuraValues

extension OutputFormat {
  /// One line per value, as sqlite3's line mode; nothing is ever cut.
  static let list = OutputFormat(
    name: "list", help: "One line per value, and an empty line between rows.",
    example: #"""
      title = 父の誕生日
      date  = 1935-06-11
      age   = 91

      title = Bob "B" Hope, actor
      date  = NULL
      age   = 2.5

      """#, isForPeople: true
  ) { grid, options, out in
    if grid.rowCount == 0 { return try Footer(grid).write(options, to: &out) }
    try ListLines(grid, options).write(to: &out)
  }
}

/// Rows as aligned `name = value` lines.
struct ListLines {
  private let grid: Grid
  private let cells: CellText
  private let palette: Palette?
  /// `title = ` for each column, padded so that the signs are aligned.
  private let heads: [String]
  /// The cells of a head.
  private let indent: Int
  private let wrapping: CellWrapping
  /// The cells of a line; nil for no wrapping.
  private let width: Int?

  init(_ grid: Grid, _ options: RenderingOptions, width: Int? = nil) {
    let measure = DisplayWidth(ambiguousIsWide: options.ambiguousIsWide)
    // Names take at most half of the width, because the values matter more.
    let most = width.map { max(1, $0 / 2 - 3) } ?? .max
    let names = grid.columns.map { measure.truncated(VisibleText.of($0.name), to: most) }
    let longest = names.map(measure.cells).max() ?? 0
    heads = names.map { measure.padded($0, to: longest) + " = " }
    indent = longest + 3
    (self.grid, self.width) = (grid, width)
    cells = CellText(for: .peopleUnambiguously, options)
    palette = options.palette
    wrapping = CellWrapping(measure)
  }
}

extension ListLines {
  func write(to out: inout OutputBuffer) throws {
    var sections = (grid.sections ?? [])[...]
    for row in 0..<grid.rowCount {
      if row > 0 { try out.endLine() }
      if let section = sections.first, section.rows.lowerBound == row {
        sections.removeFirst()
        try write(section, to: &out)
      }
      for column in grid.columns.indices {
        try write(try grid.cell(row, column), column, to: &out)
      }
    }
  }

  private func write(_ section: GridSection, to out: inout OutputBuffer) throws {
    var text: [UInt8] = []
    cells.append(section, to: &text)
    for line in lines(text + [UInt8(ascii: ":")], indent: 0) {
      out.bytes.append(line.utf8, painted: palette?.heading)
      try out.endLine()
    }
  }

  private func write(_ value: Value, _ column: Int, to out: inout OutputBuffer) throws {
    out.bytes.append(heads[column].utf8, painted: palette?.heading)
    var text: [UInt8] = []
    cells.append(value, in: grid.columns[column], to: &text)
    for (i, line) in lines(text, indent: indent).enumerated() {
      if i > 0 { out.append(String(repeating: " ", count: indent)) }
      out.bytes.append(line.utf8, painted: palette?.code(of: value))
      try out.endLine()
    }
  }

  private func lines(_ text: [UInt8], indent: Int) -> [String] {
    wrapping.lines(of: String(decoding: text, as: UTF8.self), to: width.map { $0 - indent })
  }
}
