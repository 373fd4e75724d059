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
      let pieces = grid.columns.indices.map { piece(rows, $0) }
      return { row, bytes in
        append(row - rows.lowerBound, of: pieces, grid.columns, to: &bytes)
      }
    }
  }

  private func append(_ row: Int, of grid: Grid, to bytes: inout [UInt8]) throws {
    for i in grid.columns.indices {
      if i > 0 { bytes.append(separator) }
      append(try grid.cell(row, i), in: grid.columns[i], to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private func append(
    _ row: Int, of pieces: [CellPiece], _ columns: [GridColumn], to bytes: inout [UInt8]
  ) {
    for i in pieces.indices {
      if i > 0 { bytes.append(separator) }
      if !pieces[i].nulls.isEmpty, pieces[i].nulls[row] { continue }
      switch pieces[i].cells {
      case .integers(let x): JSONWriter.append(x[row], to: &bytes)
      case .doubles(let x): JSONWriter.append(digitsOf: x[row], to: &bytes)
      case .booleans(let x): append(.boolean(x[row]), in: columns[i], to: &bytes)
      case .dates(let x):
        append(.date(Timestamp(microseconds: x[row])), in: columns[i], to: &bytes)
      case .texts(let x, let ends):
        append(text: x[(row == 0 ? 0 : ends[row - 1])..<ends[row]], to: &bytes)
      case .values(let x): append(x[row], in: columns[i], to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
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

  private func append(text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
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
