import KuraBytes
import KuraDiagnostics
import KuraValues

extension OutputFormat {
  /// RFC 4180, but lines end in LF alone, as in sqlite3 and DuckDB.
  static let csv = OutputFormat(
    name: "csv", help: "Comma-separated values with a header; null is empty, \"\" an empty text.",
    example: #"""
      title,date,age
      父の誕生日,1935-06-11,91
      "Bob ""B"" Hope, actor",,2.5

      """#
  ) { grid, options, out in
    try SeparatedValues(options, separator: UInt8(ascii: ",")).write(grid, to: &out)
  }
}

extension OutputFormat {
  /// As CSV, with a TAB in place of the comma: a field that contains one is quoted.
  static let tsv = OutputFormat(
    name: "tsv", help: "As csv, with tabs between the values.",
    example: """
      title\tdate\tage
      父の誕生日\t1935-06-11\t91
      "Bob ""B"" Hope, actor"\t\t2.5

      """
  ) { grid, options, out in
    try SeparatedValues(options, separator: UInt8(ascii: "\t")).write(grid, to: &out)
  }
}

/// A header and rows of fields; null is nothing at all, an empty text is `""`.
///
///     title,date
///     "a, ""b""",
///
/// Programs get the bytes as they are; at a terminal controls are shown as escapes.
struct SeparatedValues: Sendable {
  private let cells: CellText
  private let separator: UInt8
  private let isTerminal: Bool

  init(_ options: RenderingOptions, separator: UInt8) {
    cells = CellText(for: .programs, options)
    self.separator = separator
    isTerminal = options.isTerminal
  }
}

extension SeparatedValues {
  func write(_ grid: Grid, to out: inout OutputBuffer) throws {
    for (i, column) in grid.columns.enumerated() {
      if i > 0 { out.bytes.append(separator) }
      append(Array(column.name.utf8), to: &out.bytes)
    }
    try out.endLine()
    try RowPieces(count: grid.rowCount).write(to: &out) { rows in
      guard let piece = grid.piece else {
        return { row, bytes in try append(row, of: grid, to: &bytes) }
      }
      var fields = Fields(rows: rows.count, separator)
      for column in grid.columns.indices {
        append(piece(rows, column), in: grid.columns[column], to: &fields)
      }
      return { row, bytes in fields.append(row - rows.lowerBound, to: &bytes) }
    }
  }

  private func append(_ row: Int, of grid: Grid, to bytes: inout [UInt8]) throws {
    for i in grid.columns.indices {
      if i > 0 { bytes.append(separator) }
      append(try grid.cell(row, i), in: grid.columns[i], to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds a column, of which each kind of cells is opened once.
  private func append(_ piece: CellPiece, in column: GridColumn, to fields: inout Fields) {
    let nulls = piece.nulls
    switch piece.cells {
    case .integers(let x): fields.add(nulls) { JSONWriter.append(x[$0], to: &$1) }
    case .doubles(let x): fields.add(nulls) { JSONWriter.append(digitsOf: x[$0], to: &$1) }
    case .booleans(let x): fields.add(nulls) { append(.boolean(x[$0]), in: column, to: &$1) }
    case .dates(let x):
      fields.add(nulls) { append(.date(Timestamp(microseconds: x[$0])), in: column, to: &$1) }
    case .texts(let x, let ends):
      x.withUnsafeBufferPointer { x in
        fields.add(nulls) { row, bytes in
          let text = x[(row == 0 ? 0 : ends[row - 1])..<ends[row]]
          append(text: UnsafeBufferPointer(rebasing: text), to: &bytes)
        }
      }
    case .values(let x): fields.add(nulls) { append(x[$0], in: column, to: &$1) }
    }
  }

  private func append(_ value: Value, in column: GridColumn, to bytes: inout [UInt8]) {
    switch value {
    case .null: return
    // They have nothing that is quoted.
    case .boolean, .integer, .double, .date: cells.append(value, in: column, to: &bytes)
    default:
      var field: [UInt8] = []
      cells.append(value, in: column, to: &field)
      append(field, to: &bytes)
    }
  }

  private func append(text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    guard !isTerminal, !text.isEmpty, !text.contains(where: needsQuotes) else {
      return append(Array(text), to: &bytes)
    }
    bytes.append(contentsOf: text)
  }

  private func append(_ field: [UInt8], to bytes: inout [UInt8]) {
    let field = isTerminal ? visible(field) : field
    guard field.isEmpty || field.contains(where: needsQuotes) else {
      return bytes.append(contentsOf: field)
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in field {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func visible(_ field: [UInt8]) -> [UInt8] {
    var visible: [UInt8] = []
    VisibleText.append(String(decoding: field, as: UTF8.self), to: &visible)
    return visible
  }

  private func needsQuotes(_ byte: UInt8) -> Bool {
    byte == separator || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "\r")
  }
}

/// The fields of some rows, column by column, one behind the other.
///
/// A row is put together from one array: to open an array for each cell costs more than all else.
private struct Fields: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private let rows: Int
  private let separator: UInt8

  init(rows: Int, _ separator: UInt8) { (self.rows, self.separator) = (rows, separator) }

  /// Adds a column; a field without a value is empty.
  @inline(__always)
  mutating func add(_ nulls: [Bool], _ append: (Int, inout [UInt8]) -> Void) {
    for row in 0..<rows {
      if nulls.isEmpty || !nulls[row] { append(row, &bytes) }
      ends.append(bytes.count)
    }
  }

  /// Appends a row with its end.
  func append(_ row: Int, to output: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { all in
      ends.withUnsafeBufferPointer { ends in
        for place in stride(from: row, to: ends.count, by: max(1, rows)) {
          if place > row { output.append(separator) }
          let field = all[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
          output.append(contentsOf: UnsafeBufferPointer(rebasing: field))
        }
      }
    }
    output.append(UInt8(ascii: "\n"))
  }
}
