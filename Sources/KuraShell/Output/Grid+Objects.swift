import KuraFetch
import KuraRendering
import KuraValues

extension Grid {
  /// What a fetch found, under its headings if it has some.
  ///
  /// Formats with nested values write records, and all others cells: only one is made.
  init(_ answer: FetchAnswer, zone: ZoneRules, asRecords: Bool) {
    switch answer.rows {
    case .objects(let objects): self.init(objects, zone: zone, asRecords: asRecords)
    case .values(let rows): self.init(rows, zone: zone)
    }
    sections = answer.sections?.map { GridSection($0.heading, rows: $0.rows) }
  }

  /// The rows of a `select`.
  private init(_ rows: RowResult, zone: ZoneRules) {
    let columns = rows.columns
    self.init(
      columns: columns.map { column in
        GridColumn(
          column.name, isNumeric: column.isNumeric,
          isShortDate: (0..<rows.count).allSatisfy { column.value($0).isShort(in: zone) })
      },
      rowCount: rows.count
    ) { row, column in columns[column].value(row) }
  }

  /// The objects of a fetch: objectID, attributes, relationships; in JSON the document's form.
  private init(_ result: FetchResult, zone: ZoneRules, asRecords: Bool) {
    let columns = ObjectColumns(result: result, zone: zone)
    let shown = asRecords ? [] : columns.all
    let rows = result.rows
    self.init(
      columns: shown.map {
        GridColumn($0.name, isNumeric: $0.isNumeric, isShortDate: $0.isShortDate)
      },
      rowCount: rows.count, record: asRecords ? RecordShape(columns.record, rows) : nil
    ) { row, column in
      shown[column].read(Int(rows[row]))
    }
  }
}

extension RecordShape {
  fileprivate init(_ columns: [ObjectColumn], _ rows: [UInt32]) {
    self.init(keys: columns.map(\.name), isShortDate: columns.map(\.isShortDate)) { row, key in
      columns[key].read(Int(rows[row]))
    }
  }
}

extension Value {
  /// Whether it may stand in a column of dates without times: a midnight, or no date at all.
  fileprivate func isShort(in zone: ZoneRules) -> Bool {
    if case .date(let date) = self { date.isMidnight(in: zone) } else { true }
  }
}
