import KuraDiagnostics
import KuraValues

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

      """#, isForPeople: true
  ) { grid, options, out in
    if grid.isLone { return try LoneValue(grid, options).write(to: &out) }
    var cells = TableCells(grid, options, for: .peopleWhoCompare)
    let measures = try cells.measure(MeasuredRows(grid.rowCount, options))
    let heading = cells.widestHeading(of: grid.sections ?? [])
    let layout = TableLayout(measures, room: options.width, heading: heading)
    var footer = Footer(grid)
    if layout.isList, grid.rowCount > 0, let width = options.width {
      try ListLines(grid, options, width: width).write(to: &out)
      footer.sayList(columns: grid.columns.count, width: width)
      return try footer.write(options, to: &out)
    }
    cells.showsNumbers = layout.showsNumbers
    if !layout.widths.isEmpty { try DrawnTable(grid, layout, options).write(&cells, &out) }
    if layout.showsNumbers, let example = measures.first?.numbers?.example {
      footer.sayNumbers(of: VisibleText.of(grid.columns[0].name), as: VisibleText.of(example))
    }
    footer.sayHidden(grid.columns[layout.widths.count...].map { VisibleText.of($0.name) })
    try footer.write(options, to: &out)
  }
}

/// The rows by which the widths of columns are found: all of them or, of many at a terminal, those
/// at the beginning, some at the end, and some between, so that the first are seen at once.
struct MeasuredRows: Sequence {
  private let rows: [Range<Int>]

  /// More are not all looked at before the first is shown.
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

/// A value without a frame, as it is; one that a person gave a name with it.
struct LoneValue {
  private let grid: Grid
  private let options: RenderingOptions

  init(_ grid: Grid, _ options: RenderingOptions) {
    self.grid = grid
    self.options = options
  }
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
      CellText(for: .peopleWhoCompare, options).append(value, in: column, to: &text)
    }
    out.bytes.append(text, painted: options.palette?.code(of: value))
    try out.endLine()
  }

  /// Whether a text alone cannot be taken for null, or for nothing.
  private func isClear(_ text: String) -> Bool {
    !text.allSatisfy(\.isWhitespace) && text != VisibleText.of(options.nullText)
  }

  /// The text with its line breaks; other controls are shown, as in a table.
  private func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { VisibleText.append(lines: UnsafeRawBufferPointer($0), to: &bytes) }
  }
}
