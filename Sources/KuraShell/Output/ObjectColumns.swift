import KuraFetch
import KuraGraph
import KuraModel
import KuraRendering
import KuraValues

/// A key of the objects of a table, and how to read a row's value.
struct ObjectColumn: Sendable {
  let name: String
  var isNumeric = false
  var isShortDate = false
  /// The column with its values; nil if no single column has them.
  var cells: Column?
  let read: @Sendable (_ row: Int) -> Value

  /// Passes the UTF-8 of a text to `body`; returns false if the value is not a text.
  func withText(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    cells?.kind == .attribute(.string) && cells?.withText(row, body) == true
  }

  /// Returns the values of some rows.
  func piece(_ rows: ArraySlice<UInt32>) -> CellPiece {
    cells?.piece(rows) ?? CellPiece(.values(rows.map { read(Int($0)) }))
  }
}

/// Creates the columns of a fetch, which look up their places once instead of for each row.
struct ObjectColumns {
  let result: FetchResult
  let zone: ZoneRules

  private var graph: Graph { result.snapshot.graph }
  private var table: Table { graph.tables[result.table] }
  private var model: Model { graph.model }
}

extension ObjectColumns {
  /// objectID, the attributes in the model's order, then the relationships.
  ///
  /// A key `objectID` of plain JSON replaces Kura's.
  var all: [ObjectColumn] {
    let own =
      attributes
      + model.allRelationships(of: result.entity).compactMap { relationship in
        slot(relationship.name).map { links(relationship.name, $0) }
      }
    return own.contains { $0.name == identity.name } ? own : [identity] + own
  }

  private func slot(_ key: String) -> KeySlot? {
    graph.place(of: result.entity).flatMap { table.layout.slots[$0.code][key] }
  }
}

// The objectID
extension ObjectColumns {
  private var identity: ObjectColumn {
    let table = result.table
    let snapshot = result.snapshot
    return ObjectColumn(name: "objectID") { row in
      .object(ObjectReference(snapshot.object(table: table, row: row)))
    }
  }
}

// Attributes
extension ObjectColumns {
  private var attributes: [ObjectColumn] {
    model.allAttributes(of: result.entity).compactMap { attribute in
      guard case .attribute(let place, let type)? = slot(attribute.name) else { return nil }
      let column = table.columns[place]
      return ObjectColumn(
        name: attribute.name, isNumeric: type.isNumeric,
        isShortDate: type == .date && column.areMidnights(result.rows, in: zone), cells: column,
        read: column.value)
    }
  }
}

// Relationships
extension ObjectColumns {
  /// Returns a column with a to-one relationship as its object, and a to-many relationship as its
  /// count.
  private func links(_ key: String, _ slot: KeySlot) -> ObjectColumn {
    let rows = LinkedRows(slot, result.table, graph)
    if slot.isToMany {
      return ObjectColumn(name: key, isNumeric: true) { .integer(Int64(rows[$0].count)) }
    }
    let object = object(slot)
    return ObjectColumn(name: key) { rows[$0].first.map(object) ?? .null }
  }

  /// Returns a function that creates the object for a row of the destination's table.
  private func object(_ slot: KeySlot) -> @Sendable (Int) -> Value {
    guard let table = graph.destination(slot) else { return { _ in .null } }
    let snapshot = result.snapshot
    return { .object(ObjectReference(snapshot.object(table: table, row: $0))) }
  }
}

/// The rows to which a relationship leads, for each row of a table.
enum LinkedRows: Sendable {
  case one(Column)
  case many(Column)
  case inverse(InverseIndex)
  /// The destination is not defined yet.
  case none

  init(_ slot: KeySlot, _ table: Int, _ graph: Graph) {
    switch slot {
    case .attribute, .unresolved: self = .none
    case .toOne(let column, _): self = .one(graph.tables[table].columns[column])
    case .toMany(let column, _, _): self = .many(graph.tables[table].columns[column])
    case .inverse(let source, let column, _):
      self = .inverse(graph.inverse(source: source, column: column))
    }
  }

  subscript(row: Int) -> [Int] {
    switch self {
    case .one(let column): column.link(row).map { [$0] } ?? []
    case .many(let column): column.linkList(row)
    case .inverse(let index): index[row].map { Int($0) }
    case .none: []
    }
  }
}

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
