import KuraBytes
import KuraModel
import KuraValues

/// What an editor has made of a graph.
struct EditedGraph {
  /// What is other than before.
  let change: ChangeSet
  /// All of it as columns, where nothing else was edited; else none.
  let columns: [AttributeColumn: ColumnEdit]
  let nextNumbers: [Int64]

  init(_ change: ChangeSet) { (self.change, columns, nextNumbers) = (change, [:], []) }

  init(_ editor: GraphEditor) {
    (change, columns) = (editor.change, editor.columnEdits)
    nextNumbers = editor.nextNumbers
  }
}

extension GraphEditor {
  /// Everything that was edited, as one change; what is as it was is not in it.
  ///
  /// Where somebody asks to stop it is not the whole: who has a flag looks at it behind this.
  package var change: ChangeSet {
    if deletedRows != nil { return ChangeSet(deleted: deletedByRows) }
    if !columnEdits.isEmpty {
      return updatedColumns.map { ChangeSet(updated: $0) } ?? spilled.change
    }
    return ChangeSet(inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects)
  }

  private var spilled: GraphEditor {
    var editor = self
    editor.spill()
    return editor
  }

  private var insertedObjects: [ObjectBatch] {
    var batches = BatchBuilder()
    for (i, new) in inserted.enumerated()
    where newPlaces[new.place] == i && !isDeleted.contains(new.place) {
      if cancel.isRequested { break }
      batches.add(new.entity, new.number, values(of: new))
    }
    return batches.batches
  }

  /// A new object's attributes, and the relationships with something in them.
  private func values(of new: NewRow) -> [(key: String, value: ChangeValue)] {
    let slots = graph.tables[new.place.table].layout.slots[new.code]
    var result: [(key: String, value: ChangeValue)] = []
    for attribute in model.allAttributes(of: new.entity) {
      guard let column = slots[attribute.name]?.attributeColumn else { continue }
      result.append((attribute.name, new.cells[column] ?? .null))
    }
    for relationship in model.allRelationships(of: new.entity) {
      guard let (column, destination) = slots[relationship.name]?.linkColumn,
        let targets = links[LinkColumn(table: new.place.table, column: column)]?[new.place.row],
        !targets.isEmpty
      else { continue }
      result.append((relationship.name, linked(targets, destination, relationship.isToMany)))
    }
    return result
  }

  private var deletedObjects: [ObjectBatch] {
    var batches = BatchBuilder()
    var forms: [GraphPlace: StoredForm] = [:]
    for place in inOrder(deleted) {
      if cancel.isRequested { break }
      let table = graph.tables[place.table]
      let kind = GraphPlace(table: place.table, row: table.entityCode(place.row))
      let form = forms[kind] ?? StoredForm(graph, place.table, code: kind.row)
      forms[kind] = form
      batches.add(form.entity, table.identifiers[place.row], form.values(place.row, of: graph))
    }
    return batches.batches
  }

  /// By tables and rows; none where somebody asks to stop.
  private func inOrder(_ places: some Sequence<GraphPlace>) -> [GraphPlace] {
    let sorted = try? places.sorted { a, b in
      try cancel.check()
      return (a.table, a.row) < (b.table, b.row)
    }
    return sorted ?? []
  }

  private var updatedObjects: [UpdatedObjects] {
    var edits = ValueEdits()
    for (column, rows) in values {
      let kept = graph.tables[column.table].columns[column.column]
      for (row, new) in rows where isUpdate(GraphPlace(table: column.table, row: row)) {
        if cancel.isRequested { return [] }
        let old = ChangeValue(kept.cell(row))
        guard old != new else { continue }
        edits.add(column.table, row, column.column, old, new)
      }
    }
    for (column, rows) in links {
      let kept = graph.tables[column.table].columns[column.column]
      let (destination, isToMany) = kept.kind.link
      for (row, new) in rows where isUpdate(GraphPlace(table: column.table, row: row)) {
        if cancel.isRequested { return [] }
        let old = kept.targets(row)
        guard old != new else { continue }
        edits.add(
          column.table, row, column.column, linked(old, destination, isToMany),
          linked(new, destination, isToMany))
      }
    }
    return edits.batches(of: graph, cancel)
  }

  /// Whether an object that is there already goes on; one that is gone may have left links behind.
  private func isUpdate(_ place: GraphPlace) -> Bool {
    (newPlaces.isEmpty || newPlaces[place] == nil)
      && (isDeleted.isEmpty || !isDeleted.contains(place))
      && graph.tables[place.table].isLive(place.row)
  }

  /// Rows that a link leads to, as numbers.
  private func linked(_ rows: [UInt32], _ table: Int, _ isToMany: Bool) -> ChangeValue {
    let numbers = rows.map { row in
      newPlaces[GraphPlace(table: table, row: Int(row))].map { inserted[$0].number }
        ?? graph.tables[table].identifiers[Int(row)]
    }
    if isToMany { return numbers.isEmpty ? .null : .objects(numbers) }
    return numbers.first.map { .object($0) } ?? .null
  }
}

extension ColumnKind {
  /// The table that links lead to; nil for an attribute.
  package var destination: Int? {
    switch self {
    case .toOne(let destination), .toMany(let destination): destination
    case .attribute: nil
    }
  }

  /// The destination, and whether it is a to-many.
  var link: (destination: Int, isToMany: Bool) {
    switch self {
    case .toOne(let destination): (destination, false)
    case .toMany(let destination): (destination, true)
    case .attribute: (0, false)
    }
  }
}
