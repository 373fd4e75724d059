import KuraBytes
import KuraValues

extension OutputFormat {
  /// One array for a result, with one object per line.
  static let json = OutputFormat(
    name: "json", help: "One JSON array per result, with one object per line.",
    example: #"""
      [
        {"title": "父の誕生日", "date": "1935-06-11", "age": 91},
        {"title": "Bob \"B\" Hope, actor", "date": null, "age": 2.5}
      ]

      """#, isNested: true
  ) { grid, options, out in
    if grid.rowCount == 0 {
      out.append("[]")
      return try out.endLine()
    }
    let rows = grid.jsonRows(options)
    out.append("[\n")
    do {
      try RowPieces(count: grid.rowCount).write(to: &out) { some in
        let append = rows.writer(of: some)
        return { row, bytes in
          bytes.append(contentsOf: (row == 0 ? "  " : ",\n  ").utf8)
          try append(row, &bytes)
        }
      }
    } catch {
      try out.closeArray()
      throw error
    }
    out.append("\n]")
    try out.endLine()
  }
}

extension OutputBuffer {
  /// Closes the array after a row failed, so that the output is an array of the previous rows.
  ///
  /// Does nothing if no output was passed on, or if its reader has ended.
  fileprivate mutating func closeArray() throws {
    guard hasHandedOn, !hasFailed else { return }
    append("\n]")
    try endLine()
    try flush()
  }
}

/// Rows as JSON objects.
struct JSONRows: Sendable {
  let records: any GridRecords
  let text: JSONText
  let cancel: CancelFlag
  /// Reads the cells of some rows, if the columns are those of the grid.
  var cells: (@Sendable (Range<Int>) -> [CellPiece])?
  var isShortDate: [Bool] = []
}

extension Grid {
  /// Returns the rows in the form of the document if the grid has it, otherwise by columns.
  func jsonRows(_ options: RenderingOptions) -> JSONRows {
    var rows = JSONRows(
      records: records ?? ColumnRecords(columns, withText, cell),
      text: JSONText(options.zone, objects: .numbers, isTerminal: options.isTerminal),
      cancel: options.cancel)
    if records == nil, let piece {
      let columns = columns.indices
      rows.cells = { some in columns.map { piece(some, $0) } }
      rows.isShortDate = self.columns.map(\.isShortDate)
    }
    return rows
  }
}

extension JSONRows {
  /// Returns a function that writes each of some rows.
  func writer(of rows: Range<Int>) -> (_ row: Int, _ bytes: inout [UInt8]) throws -> Void {
    guard let cells = cells?(rows) else { return { try append($0, to: &$1) } }
    let heads = records.keys.heads
    return { row, bytes in
      try cancel.check()
      bytes.append(UInt8(ascii: "{"))
      for i in cells.indices {
        bytes.append(contentsOf: heads[i])
        append(cells[i], row - rows.lowerBound, isShortDate: isShortDate[i], to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private func append(
    _ piece: CellPiece, _ row: Int, isShortDate: Bool, to bytes: inout [UInt8]
  ) {
    if !piece.nulls.isEmpty, piece.nulls[row] { return text.append(.null, to: &bytes) }
    switch piece.cells {
    case .integers(let x): text.append(.integer(x[row]), to: &bytes)
    case .doubles(let x): text.append(.double(x[row]), to: &bytes)
    case .booleans(let x): text.append(.boolean(x[row]), to: &bytes)
    case .dates(let x):
      text.append(
        .date(Timestamp(microseconds: x[row])), isShortDate: isShortDate, to: &bytes)
    case .texts(let x, let ends):
      x.withUnsafeBytes {
        let utf8 = $0[(row == 0 ? 0 : ends[row - 1])..<ends[row]]
        text.append(utf8: UnsafeRawBufferPointer(rebasing: utf8), to: &bytes)
      }
    case .values(let x): text.append(x[row], isShortDate: isShortDate, to: &bytes)
    }
  }

  /// Appends a row: `{"title": "父の誕生日", "date": "1935-06-11"}`
  func append(_ row: Int, to bytes: inout [UInt8]) throws {
    try cancel.check()
    bytes.append(UInt8(ascii: "{"))
    for (key, head) in records.keys.heads.enumerated() {
      bytes.append(contentsOf: head)
      try records.append(row, key, text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

/// The columns of a grid as keys.
private final class ColumnRecords: GridRecords {
  let keys: RecordKeys
  private let withText: TextCell?
  private let isShortDate: [Bool]
  private let cell: @Sendable (_ row: Int, _ column: Int) throws -> Value

  init(
    _ columns: [GridColumn], _ withText: TextCell?,
    _ cell: @escaping @Sendable (_ row: Int, _ column: Int) throws -> Value
  ) {
    self.withText = withText
    keys = RecordKeys(columns.map(\.name))
    isShortDate = columns.map(\.isShortDate)
    self.cell = cell
  }

  func append(_ row: Int, _ key: Int, _ text: JSONText, to bytes: inout [UInt8]) throws {
    if withText?(row, key, { text.append(utf8: $0, to: &bytes) }) == true { return }
    text.append(try cell(row, key), isShortDate: isShortDate[key], to: &bytes)
  }
}

extension OutputFormat {
  /// One object per line, without an array around them.
  static let jsonl = OutputFormat(
    name: "jsonl", help: "One JSON object per line.",
    example: #"""
      {"title": "父の誕生日", "date": "1935-06-11", "age": 91}
      {"title": "Bob \"B\" Hope, actor", "date": null, "age": 2.5}

      """#, isNested: true
  ) { grid, options, out in
    let rows = grid.jsonRows(options)
    try RowPieces(count: grid.rowCount).write(to: &out) { some in
      let append = rows.writer(of: some)
      return { row, bytes in
        try append(row, &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
    }
  }
}
