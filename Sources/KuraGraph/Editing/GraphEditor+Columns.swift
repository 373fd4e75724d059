import KuraModel

/// An attribute's new values for many objects of a table.
struct ColumnEdit {
  /// The rows in which they are others than before, ascending.
  var rows: [UInt32]
  /// The whole column as it will be.
  var column: Column
}

/// Objects of a table that go, and nothing with them.
struct RowDeletion {
  var table: Int
  /// Ascending.
  var rows: [UInt32]
}

// Many objects of one entity at once, by columns
extension GraphEditor {
  /// Gives an attribute of many objects the values that a column of its kind has in their rows, which
  /// ascend; false, and nothing is done, where they are to be given one by one.
  package mutating func setAttribute(
    _ key: String, to new: Column, table: Int, rows: [UInt32]
  ) -> Bool {
    guard isOfColumns, let code = soleEntity(table, rows),
      case .attribute(let attribute)? = model.property(
        named: key, of: graph.tables[table].layout.entities[code]),
      attribute.derivation == nil,
      let column = graph.tables[table].layout.slots[code][key]?.attributeColumn,
      let chunks = ColumnCells.chunks(of: rows),
      let replaced = graph.tables[table].columns[column].replacing(rows, in: chunks, with: new)
    else { return false }
    let place = AttributeColumn(table: table, column: column)
    guard columnEdits[place] == nil else { return false }
    columnEdits[place] = ColumnEdit(rows: replaced.changed, column: replaced.column)
    return true
  }

  /// Deletes many objects with which no other goes or changes; false, and nothing is done, where that may
  /// be, or they are few. Their rows ascend.
  package mutating func delete(table: Int, rows: [UInt32]) -> Bool {
    guard isOfColumns, columnEdits.isEmpty, deletedRows == nil, ColumnCells.chunks(of: rows) != nil,
      let code = soleEntity(table, rows), goAlone(graph.tables[table].layout.entities[code], table)
    else { return false }
    deletedRows = RowDeletion(table: table, rows: rows)
    return true
  }

  /// Whether nothing has been edited but by columns.
  private var isOfColumns: Bool {
    values.isEmpty && links.isEmpty && inserted.isEmpty && deleted.isEmpty && isDeleted.isEmpty
  }

  /// The entity of all of some rows, which are there and ascend.
  private func soleEntity(_ table: Int, _ rows: [UInt32]) -> Int? {
    let table = graph.tables[table]
    guard let first = rows.first, let last = rows.last, last < table.count,
      zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    if table.live != nil, !rows.allSatisfy({ table.isLive(Int($0)) }) { return nil }
    let code = table.entityCode(Int(first))
    guard table.entityCodes != nil else { return code }
    return rows.allSatisfy { table.entityCode(Int($0)) == code } ? code : nil
  }

  /// Whether objects of an entity go without a word to others.
  private func goAlone(_ entity: String, _ table: Int) -> Bool {
    graph.oneWayColumns(to: table).isEmpty
      && model.allRelationships(of: entity).allSatisfy { isSilent($0, of: entity) }
  }

  /// Whether a relationship is left as it is when its object goes: the other end is read from here.
  private func isSilent(_ relationship: Relationship, of entity: String) -> Bool {
    guard let place = graph.place(of: entity),
      let slot = graph.tables[place.table].layout.slots[place.code][relationship.name]
    else { return true }
    switch (relationship.deleteRule, slot) {
    case (.deny, _), (.none, _), (_, .attribute), (_, .unresolved): return true
    case (.nullify, .toOne(let column, _)), (.nullify, .toMany(let column, _, _)):
      switch otherEnd(of: LinkColumn(table: place.table, column: column)) {
      case .none, .read: return true
      case .itself, .kept: return false
      }
    case (.nullify, .inverse), (.cascade, _): return false
    }
  }
}

extension GraphEditor {
  /// What was edited by columns, value by value: other edits come behind it.
  mutating func spill() {
    for (place, edit) in columnEdits {
      values[place, default: [:]].merge(
        edit.rows.map { (Int($0), ChangeValue(edit.column.cell(Int($0)))) }
      ) { $1 }
    }
    columnEdits = [:]
    guard let deletion = deletedRows else { return }
    deletedRows = nil
    deleted += deletion.rows.map { GraphPlace(table: deletion.table, row: Int($0)) }
    isDeleted.formUnion(deleted)
  }

  /// The edits of columns as a change; nil where objects differ in what has changed of them.
  var updatedColumns: [UpdatedObjects]? {
    let edits = columnEdits.filter { !$1.rows.isEmpty }.sorted { $0.key.column < $1.key.column }
    guard let (place, first) = edits.first else { return [] }
    guard edits.allSatisfy({ $0.key.table == place.table && $0.value.rows == first.rows }) else {
      return nil
    }
    let table = graph.tables[place.table]
    return [
      UpdatedObjects(
        entity: table.layout.entities[table.entityCode(Int(first.rows[0]))],
        numbers: first.rows.map { table.identifiers[Int($0)] },
        columns: edits.map { place, edit in
          UpdatedColumn(
            key: table.layout.columns[place.column].key,
            old: ChangeValues(table.columns[place.column], first.rows),
            new: ChangeValues(edit.column, first.rows))
        })
    ]
  }

  /// The objects of a table that go by themselves, as a change has them.
  var deletedByRows: [ObjectBatch] {
    guard let deletion = deletedRows, let first = deletion.rows.first else { return [] }
    let code = graph.tables[deletion.table].entityCode(Int(first))
    return StoredForm(graph, deletion.table, code: code).batches(deletion.rows, of: graph)
  }
}
