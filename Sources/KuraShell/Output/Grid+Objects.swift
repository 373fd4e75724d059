import KuraFetch
import KuraRendering
import KuraValues

extension Grid {
  /// The objects of a fetch: objectID, attributes, relationships; in JSON the document's form.
  init(_ result: FetchResult, zone: ZoneRules) {
    let columns = ObjectColumns(result: result, zone: zone)
    let shown = columns.all
    let rows = result.rows
    self.init(
      columns: shown.map {
        GridColumn($0.name, isNumeric: $0.isNumeric, isShortDate: $0.isShortDate)
      },
      rowCount: rows.count, record: RecordShape(columns.record, rows)
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
