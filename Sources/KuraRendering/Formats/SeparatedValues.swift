import KuraBytes
import KuraDiagnostics
import KuraValues

extension OutputFormat {
  /// RFC 4180, but lines end in LF alone, as in sqlite3 and DuckDB.
  static let csv = OutputFormat(
    name: "csv", help: "Comma-separated values with a header; null is empty, \"\" an empty string.",
    example: #"""
      title,date,age
      父の誕生日,1935-06-11,91
      "Bob ""B"" Hope, actor",,2.5

      """#
  ) { grid, options, out in
    try SeparatedValues(options, separator: UInt8(ascii: ",")).write(grid, to: &out)
  }

  /// As CSV, with a tab instead of the comma; a field that contains one is quoted.
  static let tsv = OutputFormat(
    name: "tsv", help: "Like csv, with tabs between the values.",
    example: """
      title\tdate\tage
      父の誕生日\t1935-06-11\t91
      "Bob ""B"" Hope, actor"\t\t2.5

      """
  ) { grid, options, out in
    try SeparatedValues(options, separator: UInt8(ascii: "\t")).write(grid, to: &out)
  }
}

/// A header and rows of fields; null is an empty field, an empty text is `""`.
///
///     title,date
///     "a, ""b""",
///
/// Programs get the bytes unchanged; a terminal gets control characters as escapes.
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
    try RowPieces(count: grid.rowCount).write(runsTo: &out) { rows in
      guard let piece = grid.piece else {
        return .rows { row, bytes in try append(row, of: grid, to: &bytes) }
      }
      let columns = grid.columns.indices.map { column in
        fields(piece(rows, column), in: grid.columns[column], count: rows.count)
      }
      return .bytes(FieldColumn.rows(of: columns, count: rows.count, separator))
    }
  }

  private func append(_ row: Int, of grid: Grid, to bytes: inout [UInt8]) throws {
    for i in grid.columns.indices {
      if i > 0 { bytes.append(separator) }
      append(try grid.cell(row, i), in: grid.columns[i], to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns the fields of a column; the kind of its cells is decided once.
  private func fields(_ piece: CellPiece, in column: GridColumn, count: Int) -> FieldColumn {
    let nulls = piece.nulls
    switch piece.cells {
    case .integers(let x):
      return FieldColumn(numbers: count, nulls) { JSONWriter.write(x[$0], at: $1) }
    case .doubles(let x):
      return FieldColumn(numbers: count, nulls) { JSONWriter.write(digitsOf: x[$0], at: $1) }
    case .booleans(let x):
      return FieldColumn(count, nulls) { append(.boolean(x[$0]), in: column, to: &$1) }
    case .dates(let x):
      return FieldColumn(count, nulls) {
        append(.date(Timestamp(microseconds: x[$0])), in: column, to: &$1)
      }
    case .texts(let x, let ends):
      if isPlain(x, ends, nulls) { return FieldColumn(bytes: x, ends: ends) }
      return x.withUnsafeBufferPointer { x in
        FieldColumn(count, nulls) { row, bytes in
          let text = x[(row == 0 ? 0 : ends[row - 1])..<ends[row]]
          append(text: UnsafeBufferPointer(rebasing: text), to: &bytes)
        }
      }
    case .values(let x): return FieldColumn(count, nulls) { append(x[$0], in: column, to: &$1) }
    }
  }

  /// Returns whether texts need no quoting: none is empty, and no byte needs quotes.
  private func isPlain(_ bytes: [UInt8], _ ends: [Int], _ nulls: [Bool]) -> Bool {
    if isTerminal { return false }
    var start = 0
    for row in ends.indices {
      if ends[row] == start, nulls.isEmpty || !nulls[row] { return false }
      start = ends[row]
    }
    return !bytes.has(anyOf: [
      separator, UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
    ])
  }

  private func append(_ value: Value, in column: GridColumn, to bytes: inout [UInt8]) {
    switch value {
    case .null: return
    // These values never need quotes.
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
