import KuraFetch
import KuraRendering
import KuraValues

extension FetchAnswer {
  /// Returns the result of a fetch as a grid, with section headings if it has any.
  ///
  /// Formats with nested values write records, for which `forms` is given; all others write cells.
  func grid(zone: ZoneRules, forms: RecordForms?) -> Grid {
    var grid =
      switch rows {
      case .objects(let objects):
        if let forms {
          Grid(objects, zone: zone, forms.form(of: objects))
        } else {
          Grid(objects, zone: zone)
        }
      case .values(let rows): Grid(rows, zone: zone)
      }
    if let sections { grid.sections = sections.map { GridSection($0.heading, rows: $0.rows) } }
    return grid
  }
}

extension Grid {
  /// Creates the rows of a `select`.
  fileprivate init(_ rows: RowResult, zone: ZoneRules) {
    let columns = rows.columns
    self.init(
      columns: columns.map { column in
        GridColumn(
          column.name, isNumeric: column.isNumeric,
          isShortDate: column.hasShortDates(in: zone))
      },
      rowCount: rows.count
    ) { row, column in columns[column].value(row) }
    withText = { row, column, body in columns[column].withText(row, body) }
    piece = { rows, column in columns[column].piece(rows) }
  }

  /// Creates the columns of objects: objectID, attributes, relationships.
  fileprivate init(_ result: FetchResult, zone: ZoneRules) {
    let columns = ObjectColumns(result: result, zone: zone).all
    let rows = result.rows
    self.init(
      columns: columns.map {
        GridColumn($0.name, isNumeric: $0.isNumeric, isShortDate: $0.isShortDate)
      },
      rowCount: rows.count
    ) { row, column in
      columns[column].read(Int(rows[row]))
    }
    withText = { row, column, body in columns[column].withText(Int(rows[row]), body) }
    piece = { some, column in columns[column].piece(rows[some]) }
  }

  /// Creates objects in the form of the document.
  fileprivate init(_ result: FetchResult, zone: ZoneRules, _ form: RecordForm) {
    let records = ObjectRecords(result, form, zone)
    self.init(columns: [], rowCount: result.count, records: records) { _, _ in .null }
  }
}
