import KuraBytes
package import KuraValues

/// A result in the form that formats read: named columns, and cells read on demand.
///
/// A format may read a cell twice (once for its width), and reads rows in order.
package struct Grid: Sendable {
  package var columns: [GridColumn]
  package var rowCount: Int
  /// Returns the value at a row and a column, both from 0.
  package var cell: @Sendable (_ row: Int, _ column: Int) throws -> Value
  /// Passes the UTF-8 of a text cell to a function; returns false for other cells. Nil if not
  /// available.
  package var withText: TextCell?
  /// Returns the cells of a column in several rows; nil if they must be read one by one.
  package var piece: (@Sendable (_ rows: Range<Int>, _ column: Int) -> CellPiece)?
  /// The rows as JSON objects, if they differ from the columns; nil for the columns.
  package var records: (any GridRecords)?
  /// Section headings for consecutive runs of rows, which together are all rows; nil without
  /// sections. Formats for programs write only the rows.
  package var sections: [GridSection]?
  /// The limits of the rows, if any.
  package var extent = GridExtent()
  /// A note below a table about the meaning of its cells; nil without a note.
  package var note: String?
  /// Sentences that belong to the result, and replace the number of rows below a table.
  package var remarks: [String] = []
  /// Whether it is the single value of a `print`, which a table shows without a frame.
  package var isLone = false

  package init(
    columns: [GridColumn], rowCount: Int, records: (any GridRecords)? = nil,
    cell: @escaping @Sendable (_ row: Int, _ column: Int) throws -> Value
  ) {
    self.columns = columns
    self.rowCount = rowCount
    self.records = records
    self.cell = cell
  }
}

/// Reads a cell's text in place, if it is a text.
package typealias TextCell =
  @Sendable (_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool

/// The limits of a result.
package struct GridExtent: Sendable {
  /// The number of rows without a limit, if known at no cost.
  package var total: Int?
  package var offset: Int
  package var limit: Int?
  /// The keys of `limit 3 per category`: the limit applies to each combination of their values.
  package var limitKeys: [String]

  package init(
    total: Int? = nil, offset: Int = 0, limit: Int? = nil, limitKeys: [String] = []
  ) {
    self.total = total
    self.offset = offset
    self.limit = limit
    self.limitKeys = limitKeys
  }
}

/// Consecutive rows with a heading.
package struct GridSection: Sendable {
  package var heading: Value
  package var rows: Range<Int>

  package init(_ heading: Value, rows: Range<Int>) {
    self.heading = heading
    self.rows = rows
  }
}

/// A column's heading and alignment.
package struct GridColumn: Sendable {
  package var name: String
  /// Whether cells are aligned to the right, as numbers are.
  package var isNumeric: Bool
  /// Whether dates are written without a time, because all of them are midnights in the zone.
  package var isShortDate: Bool
  /// Whether its texts are Kura's own words, as in `explain`, and not values: they are shown
  /// unchanged.
  package var isOwnText: Bool
  /// Whether the user named it; a single value is then shown with its name.
  package var isNamed = false

  package init(
    _ name: String, isNumeric: Bool = false, isShortDate: Bool = false, isOwnText: Bool = false
  ) {
    self.name = name
    self.isNumeric = isNumeric
    self.isShortDate = isShortDate
    self.isOwnText = isOwnText
  }
}

/// The rows as JSON objects: `{"objectID": 1, "title": "x", "parentCategory": 3}`.
package protocol GridRecords: AnyObject, Sendable {
  var keys: RecordKeys { get }

  /// Appends the value of a key in a row, both from 0.
  func append(_ row: Int, _ key: Int, _ text: JSONText, to bytes: inout [UInt8]) throws
}

/// The keys of JSON objects as they are written, shared by rows and results.
package struct RecordKeys: Sendable {
  /// `"title": ` for each key, with the separator before it.
  let heads: [[UInt8]]

  package init(_ names: [String]) {
    heads = names.enumerated().map { i, name in
      var head = Array((i > 0 ? ", " : "").utf8)
      JSONEscape(isTerminal: true).append(name, to: &head)
      return head + Array(": ".utf8)
    }
  }
}

extension Grid {
  /// Two rows that show what a format does with kanji, quotes, dates, numbers and nulls.
  package static let sample = Grid(
    columns: [
      GridColumn("title"), GridColumn("date", isShortDate: true),
      GridColumn("age", isNumeric: true),
    ],
    rows: [
      [.string("父の誕生日"), .date(Timestamp(microseconds: -1_090_627_200_000_000)), .integer(91)],
      [.string(#"Bob "B" Hope, actor"#), .null, .double(2.5)],
    ])

  /// Creates a grid of existing values; a row that is too short ends in nulls.
  package init(columns: [GridColumn], rows: [[Value]]) {
    self.init(columns: columns, rowCount: rows.count) { row, column in
      rows[row].indices.contains(column) ? rows[row][column] : .null
    }
  }
}
