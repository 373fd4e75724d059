import KuraBytes
package import KuraValues

/// What a result looks like to a format: named columns and cells read on demand.
///
/// A format may read a cell twice (once for its width), and reads rows in order.
package struct Grid: Sendable {
  package var columns: [GridColumn]
  package var rowCount: Int
  /// The value at a row and a column, both from 0.
  package var cell: @Sendable (_ row: Int, _ column: Int) throws -> Value
  /// Hands over the UTF-8 of a cell that is a text; false for other cells. Nil: there is none so.
  package var withText: TextCell?
  /// The cells of a column of some rows, read together; nil: they are read one by one.
  package var piece: (@Sendable (_ rows: Range<Int>, _ column: Int) -> CellPiece)?
  /// What a JSON format writes of the rows, where it differs from the columns; nil: the columns.
  package var records: (any GridRecords)?
  /// Headings over runs of rows, which together are all rows; nil: none. Formats for programs
  /// write the rows alone.
  package var sections: [GridSection]?
  /// What limited the rows, where something did.
  package var extent = GridExtent()
  /// What a table says below of what its cells mean; nil: that needs no word.
  package var note: String?
  /// Sentences that belong to the answer, and stand under a table in place of the number of rows.
  package var remarks: [String] = []
  /// Whether it is the one value of a `print`, which a table shows without a frame.
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

/// Reads a cell's text in place, where it is one.
package typealias TextCell =
  @Sendable (_ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool

/// What an answer was asked to leave out.
package struct GridExtent: Sendable {
  /// How many rows there are without a limit, where that is known at no cost.
  package var total: Int?
  package var offset: Int
  package var limit: Int?

  package init(total: Int? = nil, offset: Int = 0, limit: Int? = nil) {
    self.total = total
    self.offset = offset
    self.limit = limit
  }
}

/// Rows one behind the other under a heading.
package struct GridSection: Sendable {
  package var heading: Value
  package var rows: Range<Int>

  package init(_ heading: Value, rows: Range<Int>) {
    self.heading = heading
    self.rows = rows
  }
}

/// A column's heading and how its cells stand.
package struct GridColumn: Sendable {
  package var name: String
  /// Numbers stand at the right.
  package var isNumeric: Bool
  /// Whether its dates are written without a time: all of them are midnights in the zone.
  package var isShortDate: Bool
  /// Whether its texts are Kura's own words, as of `explain`, and no values: they stand as they are.
  package var isOwnText: Bool
  /// Whether a person gave it its name: a value alone shows it then.
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

/// The keys of JSON objects, as they are written: made once for rows, and results, that share them.
package struct RecordKeys: Sendable {
  /// `"title": ` of each key, with what separates it from the one before.
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

  /// A grid of values that are there already; a row that is too short ends in nulls.
  package init(columns: [GridColumn], rows: [[Value]]) {
    self.init(columns: columns, rowCount: rows.count) { row, column in
      rows[row].indices.contains(column) ? rows[row][column] : .null
    }
  }
}
