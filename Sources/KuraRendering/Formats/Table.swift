import KuraDiagnostics
import KuraValues

extension OutputFormat {
  /// A drawn table; it fits a terminal, and elsewhere nothing is cut.
  static let table = OutputFormat(
    name: "table", help: "A table that fits the terminal; in files and pipes, nothing is cut off.",
    example: #"""
      ┌─────────────────────┬────────────┬─────┐
      │ title               │ date       │ age │
      ├─────────────────────┼────────────┼─────┤
      │ 父の誕生日          │ 1935-06-11 │  91 │
      │ Bob "B" Hope, actor │ NULL       │ 2.5 │
      └─────────────────────┴────────────┴─────┘
      (2 rows)

      """#, isForPeople: true
  ) { grid, options, out in
    if grid.isLone { return try LoneValue(grid: grid, options: options).write(to: &out) }
    var cells = TableCells(grid, options, for: .peopleUnambiguously)
    let measures = try cells.measure(MeasuredRows(grid.rowCount, options))
    let heading = cells.widestHeading(of: grid.sections ?? [])
    let layout = TableLayout(measures, room: options.width, heading: heading)
    var footer = Footer(grid)
    if layout.isList, grid.rowCount > 0, let width = options.width {
      try ListLines(grid, options, width: width).write(to: &out)
      footer.explainList(columns: grid.columns.count, width: width)
      return try footer.write(options, to: &out)
    }
    cells.showsNumbers = layout.showsNumbers
    if !layout.widths.isEmpty { try DrawnTable(grid, layout, options).write(&cells, &out) }
    if layout.showsNumbers, let example = measures.first?.numbers?.example {
      footer.explainNumbers(of: VisibleText.of(grid.columns[0].name), as: VisibleText.of(example))
    }
    footer.explainHidden(grid.columns[layout.widths.count...].map { VisibleText.of($0.name) })
    try footer.write(options, to: &out)
  }
}

/// The rows that determine the widths of columns: all of them or, if there are many at a terminal,
/// a sample from the beginning, the middle and the end, so that the first rows are shown at once.
struct MeasuredRows: Sequence {
  private let rows: [Range<Int>]

  /// The maximum number of measured rows.
  private static let most = 2_000

  init(_ count: Int, _ options: RenderingOptions) {
    guard options.width != nil, count > Self.most else {
      rows = [0..<count]
      return
    }
    let (first, last) = (Self.most / 2, count - Self.most / 4)
    let step = Swift.max(1, (last - first) / (Self.most / 4))
    let between = stride(from: first, to: last, by: step).map { $0..<$0 + 1 }
    rows = [0..<first] + between + [last..<count]
  }

  func makeIterator() -> some IteratorProtocol<Int> { rows.joined().makeIterator() }
}

/// A single value without a frame; with its name if the user gave one.
struct LoneValue {
  let grid: Grid
  let options: RenderingOptions
}

extension LoneValue {
  func write(to out: inout OutputBuffer) throws {
    guard let column = grid.columns.first, grid.rowCount > 0 else { return }
    if column.isNamed { return try ListLines(grid, options).write(to: &out) }
    let value = try grid.cell(0, 0)
    var text: [UInt8] = []
    if case .string(let string) = value, isClear(string) {
      append(string, to: &text)
    } else {
      CellText(for: .peopleUnambiguously, options).append(value, in: column, to: &text)
    }
    out.bytes.append(text, painted: options.palette?.code(of: value))
    try out.endLine()
  }

  /// Returns whether a single text cannot be mistaken for null, or for nothing.
  private func isClear(_ text: String) -> Bool {
    !text.allSatisfy(\.isWhitespace) && text != VisibleText.of(options.nullText)
  }

  /// Appends the text with its line breaks; other control characters are escaped, as in a table.
  private func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { VisibleText.append(lines: UnsafeRawBufferPointer($0), to: &bytes) }
  }
}
