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

      """#, isNested: true
  ) { grid, options, out in
    if grid.rowCount == 0 {
      out.append("[]")
      return try out.endLine()
    }
    let rows = grid.jsonRows(options)
    out.append("[\n")
    do {
      try RowPieces(count: grid.rowCount).write(to: &out) { row, bytes in
        bytes.append(contentsOf: (row == 0 ? "  " : ",\n  ").utf8)
        try rows.append(row, to: &bytes)
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
  /// A row has failed: what has been handed on becomes an array of the rows before it.
  ///
  /// Where nothing has, or nobody takes any more, nothing is.
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
}

extension Grid {
  /// The rows in the form of the document where the grid knows it, else by columns.
  func jsonRows(_ options: RenderingOptions) -> JSONRows {
    JSONRows(
      records: records ?? ColumnRecords(columns, withText, cell),
      text: JSONText(options.zone, objects: .numbers, isTerminal: options.isTerminal),
      cancel: options.cancel)
  }
}

extension JSONRows {
  /// `{"title": "父の誕生日", "date": "1935-06-11"}`
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
  /// An object a line, and no array around them.
  static let jsonl = OutputFormat(
    name: "jsonl", help: "One JSON object a line.",
    example: #"""
      {"title": "父の誕生日", "date": "1935-06-11", "age": 91}
      {"title": "Bob \"B\" Hope, actor", "date": null, "age": 2.5}

      """#, isNested: true
  ) { grid, options, out in
    let rows = grid.jsonRows(options)
    try RowPieces(count: grid.rowCount).write(to: &out) { row, bytes in
      try rows.append(row, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
  }
}
