import KuraModel
package import KuraValues

/// The new values of an attribute of existing objects.
enum AttributeEdit {
  /// The values of single rows
  case cells([Int: StoredCell])
  /// A column that has the new values, and its changed rows, ascending
  case column(Column, rows: [UInt32])
}

extension AttributeEdit {
  /// Returns the value in a row; nil if it is unchanged, unless a whole column has the values.
  subscript(row: Int) -> StoredCell? {
    switch self {
    case .cells(let cells): cells[row]
    case .column(let column, _): column.cell(row)
    }
  }

  /// The rows with new values.
  var rows: [UInt32] {
    switch self {
    case .cells(let cells): cells.keys.map { UInt32(truncatingIfNeeded: $0) }
    case .column(_, let rows): rows
    }
  }

  /// The values by row.
  var cells: [Int: StoredCell] {
    switch self {
    case .cells(let cells): cells
    case .column(let column, let rows):
      Dictionary(uniqueKeysWithValues: rows.map { (Int($0), column.cell(Int($0))) })
    }
  }

  /// Sets the value of a row; nil leaves it unchanged.
  mutating func set(_ row: Int, to value: StoredCell?) {
    var all = cells
    // Moved out while it changes, because a shared dictionary would be copied.
    self = .cells([:])
    all[row] = value
    self = .cells(all)
  }
}

/// The new values of an attribute, or the new objects of a relationship, for many objects of a table.
package enum NewValues: Sendable {
  /// A value per object
  case each([Value])
  /// Values of the attribute's type in the objects' rows
  case column(Column)

  /// Returns the value for the object at an index, which has a row.
  package func value(_ place: Int, _ row: UInt32) -> Value {
    switch self {
    case .each(let values): values[place]
    case .column(let column): column.value(Int(row))
    }
  }

  /// Returns the new values with `transform` applied to single values; columns remain unchanged.
  package func map(_ transform: (Value) throws -> Value) rethrows -> NewValues {
    switch self {
    case .each(let values): .each(try values.map(transform))
    case .column: self
    }
  }
}

// Many objects of a table at once
extension GraphEditor {
  /// Sets an attribute of many objects of the graph to values that fit its type. Returns false,
  /// without a change, if the key is not an attribute of all of them, or is derived.
  package mutating func setAttribute(
    _ key: String, to new: NewValues, table: Int, rows: [UInt32]
  ) -> Bool {
    if case .column(let new) = new, setColumn(key, to: new, table: table, rows: rows) {
      return true
    }
    let codes = graph.tables[table].entityCodes(of: rows)
    guard let first = codes.first else { return true }
    guard let found = attribute(key, table, first),
      codes.allSatisfy({ attribute(key, table, $0).map { $0 == found } ?? false })
    else { return false }
    let place = ColumnPlace(table: table, column: found.column)
    var cells = values.removeValue(forKey: place)?.cells ?? [:]
    cells.reserveCapacity(cells.count + rows.count)
    for (i, row) in rows.enumerated() {
      cells[Int(row)] = StoredCell(new.value(i, row), as: found.type)
    }
    values[place] = .cells(cells)
    return true
  }

  /// Sets an attribute of many objects to the values that a column of its kind has in the same
  /// ascending rows. Returns false, without a change, if they must be set individually.
  mutating func setColumn(_ key: String, to new: Column, table: Int, rows: [UInt32]) -> Bool {
    guard let code = soleEntity(table, rows), let column = attribute(key, table, code)?.column,
      values[ColumnPlace(table: table, column: column)] == nil,
      let chunks = ColumnCells.chunks(of: rows),
      let replaced = graph.tables[table].columns[column].replacing(rows, in: chunks, with: new)
    else { return false }
    values[ColumnPlace(table: table, column: column)] = .column(
      replaced.column, rows: replaced.changed)
    return true
  }

  /// Returns the column of an attribute that can be set; nil for any other key of an entity.
  private func attribute(
    _ key: String, _ table: Int, _ code: Int
  ) -> (column: Int, type: AttributeType)? {
    let layout = graph.tables[table].layout
    guard let attribute = model.attribute(named: key, of: layout.entities[code]),
      attribute.derivation == nil, let column = layout.slots[code][key]?.attributeColumn
    else { return nil }
    return (column, attribute.type)
  }

  /// Returns the common entity of existing, ascending rows, if no object was deleted or inserted.
  func soleEntity(_ table: Int, _ rows: [UInt32]) -> Int? {
    let table = graph.tables[table]
    guard isDeleted.isEmpty, inserted.isEmpty, let last = rows.last, last < table.count,
      zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }),
      table.live == nil || rows.allSatisfy({ table.isLive(Int($0)) })
    else { return nil }
    let codes = table.entityCodes(of: rows)
    return codes.count == 1 ? codes.first : nil
  }

  /// The updates, if all edits are of columns with the same changed rows; otherwise nil.
  var updatedColumns: [ObjectBatch]? {
    guard links.isEmpty, isDeleted.isEmpty else { return nil }
    var edits: [(place: ColumnPlace, column: Column, rows: [UInt32])] = []
    for (place, edit) in values {
      guard case .column(let column, let rows) = edit else { return nil }
      if !rows.isEmpty { edits.append((place, column, rows)) }
    }
    guard let (place, _, rows) = edits.first else { return [] }
    guard edits.allSatisfy({ $0.place.table == place.table && $0.rows == rows }) else {
      return nil
    }
    let table = graph.tables[place.table]
    let columns = edits.sorted { $0.place.column < $1.place.column }.map { place, column, _ in
      ChangeColumn(
        key: table.layout.columns[place.column].key,
        old: ChangeValues(table.columns[place.column], rows), new: ChangeValues(column, rows))
    }
    let entity = table.layout.entities[table.entityCode(Int(rows[0]))]
    return [
      ObjectBatch(
        entity: entity, numbers: rows.map { table.identifiers[Int($0)] }, columns: columns)
    ]
  }
}
