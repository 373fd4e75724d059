import KuraBytes
import KuraValues

extension OutputFormat {
  /// One array for a result, with an object a line.
  static let json = OutputFormat(
    name: "json", help: "One JSON array for each result, with an object a line.",
    example: #"""
      [
        {"title": "父の誕生日", "date": "1935-06-11", "age": 91},
        {"title": "Bob \"B\" Hope, actor", "date": null, "age": 2.5}
      ]

      """#
  ) { grid, options, out in
    if grid.rowCount == 0 {
      out.append("[]")
      return try out.endLine()
    }
    let rows = JSONRows(grid, options)
    out.append("[\n")
    for row in 0..<grid.rowCount {
      let whole = out.bytes.count
      do {
        out.append(row == 0 ? "  " : ",\n  ")
        try rows.append(row, to: &out.bytes)
      } catch {
        try out.closeArray(behind: whole)
        throw error
      }
      try out.flushIfLong()
    }
    out.append("\n]")
    try out.endLine()
  }
}

extension OutputBuffer {
  /// A row has failed: what has been handed on becomes an array of the rows before it.
  ///
  /// Where nothing has, nothing is.
  fileprivate mutating func closeArray(behind whole: Int) throws {
    guard hasHandedOn else { return }
    bytes.removeSubrange(whole...)
    append("\n]")
    try endLine()
    try flush()
  }
}

/// Rows as JSON objects: in the form of the document where the grid knows it, else by columns.
struct JSONRows {
  private let text: JSONText
  private let record: RecordShape

  init(_ grid: Grid, _ options: RenderingOptions) {
    text = JSONText(options.zone, objects: .numbers)
    record = grid.record ?? grid.columnRecord
  }
}

extension JSONRows {
  /// `{"title": "父の誕生日", "date": "1935-06-11"}`
  func append(_ row: Int, to bytes: inout [UInt8]) throws {
    bytes.append(UInt8(ascii: "{"))
    for (key, head) in record.keys.heads.enumerated() {
      bytes.append(contentsOf: head)
      try text.append(record.cell(row, key), isShortDate: isShortDate(key), to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func isShortDate(_ key: Int) -> Bool {
    record.isShortDate.indices.contains(key) && record.isShortDate[key]
  }
}

extension Grid {
  /// The columns as keys.
  fileprivate var columnRecord: RecordShape {
    RecordShape(
      keys: RecordKeys(columns.map(\.name)), isShortDate: columns.map(\.isShortDate), cell: cell)
  }
}
