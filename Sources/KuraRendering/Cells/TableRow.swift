import KuraDiagnostics

/// Writes lines of cells that stand under each other.
struct TableRow {
  private let widths: [Int]
  private let sides: [Alignment]
  private let left: [UInt8]
  private let between: [UInt8]
  private let right: [UInt8]

  /// A row of as many columns as there are widths.
  init(_ widths: [Int], _ columns: [GridColumn], left: String, between: String, right: String) {
    self.widths = widths
    sides = columns.map { $0.isNumeric ? .right : .left }
    self.left = Array(left.utf8)
    self.between = Array(between.utf8)
    self.right = Array(right.utf8)
  }
}

extension TableRow {
  func write(_ cells: inout TableCells, _ line: TableLine, to out: inout OutputBuffer) throws {
    for i in widths.indices {
      out.bytes.append(contentsOf: i == 0 ? left : between)
      try cells.read(line, i)
      append(cells.fit(widths[i]), of: cells, i, to: &out.bytes)
    }
    out.bytes.append(contentsOf: right)
    try out.endLine()
  }

  private func append(_ used: Int, of cells: TableCells, _ i: Int, to bytes: inout [UInt8]) {
    let blanks = repeatElement(UInt8(ascii: " "), count: max(0, widths[i] - used))
    switch sides[i] {
    case .left:
      bytes.append(contentsOf: cells.text)
      bytes.append(contentsOf: blanks)
    case .right:
      bytes.append(contentsOf: blanks)
      bytes.append(contentsOf: cells.text)
    }
  }
}
