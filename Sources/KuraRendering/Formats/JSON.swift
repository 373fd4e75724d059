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
  private let grid: Grid
  private let text: JSONText
  /// `"title": ` of each key, with what separates it from the one before.
  private let heads: [[UInt8]]

  init(_ grid: Grid, _ options: RenderingOptions) {
    self.grid = grid
    text = JSONText(options.zone, objects: .numbers)
    let keys = grid.record?.keys ?? grid.columns.map(\.name)
    heads = keys.enumerated().map { i, key in
      var head = Array((i > 0 ? ", " : "").utf8)
      JSONWriter.append(key, to: &head)
      return head + Array(": ".utf8)
    }
  }
}

extension JSONRows {
  /// `{"title": "父の誕生日", "date": "1935-06-11"}`
  func append(_ row: Int, to bytes: inout [UInt8]) throws {
    bytes.append(UInt8(ascii: "{"))
    for i in heads.indices {
      bytes.append(contentsOf: heads[i])
      try text.append(value(row, i), isShortDate: isShortDate(i), to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func value(_ row: Int, _ i: Int) throws -> Value {
    if let record = grid.record { return try record.cell(row, i) }
    return try grid.cell(row, i)
  }

  private func isShortDate(_ i: Int) -> Bool {
    guard let record = grid.record else { return grid.columns[i].isShortDate }
    return record.isShortDate.indices.contains(i) && record.isShortDate[i]
  }
}
