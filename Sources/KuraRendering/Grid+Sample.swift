package import KuraValues

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
