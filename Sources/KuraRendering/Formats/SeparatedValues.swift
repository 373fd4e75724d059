import KuraValues

/// A header and rows of fields; null is nothing at all, an empty text is `""`.
///
///     title,date
///     "a, ""b""",
struct SeparatedValues {
  private let cells: CellText
  private let separator: UInt8

  init(_ options: RenderingOptions, separator: UInt8) {
    cells = CellText(for: .programs, options)
    self.separator = separator
  }
}

extension SeparatedValues {
  func write(_ grid: Grid, to out: inout OutputBuffer) throws {
    var field: [UInt8] = []
    for (i, column) in grid.columns.enumerated() {
      if i > 0 { out.bytes.append(separator) }
      append(Array(column.name.utf8), to: &out.bytes)
    }
    try out.endLine()
    for row in 0..<grid.rowCount {
      for (i, column) in grid.columns.enumerated() {
        if i > 0 { out.bytes.append(separator) }
        let value = try grid.cell(row, i)
        if case .null = value { continue }
        field.removeAll(keepingCapacity: true)
        cells.append(value, in: column, to: &field)
        append(field, to: &out.bytes)
      }
      try out.endLine()
    }
  }

  private func append(_ field: [UInt8], to bytes: inout [UInt8]) {
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

  private func needsQuotes(_ byte: UInt8) -> Bool {
    byte == separator || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "\r")
  }
}
