import KuraBytes
import KuraModel
import KuraValues

extension GraphEditor {
  /// Everything that was edited, as one change; what is as it was is not in it.
  ///
  /// Where somebody asks to stop it is not the whole: who has a flag looks at it behind this.
  package var change: ChangeSet {
    ChangeSet(inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects)
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
      let place = AttributeColumn(table: new.place.table, column: column)
      result.append((attribute.name, values[place]?[new.place.row] ?? .null))
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
    for place in inOrder(deleted) {
      if cancel.isRequested { break }
      let id = graph.tables[place.table].objectID(place.row)
      batches.add(id.entity, id.number, graph.storedValues(place.table, place.row))
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
    var changes: [GraphPlace: [(column: Int, old: ChangeValue, new: ChangeValue)]] = [:]
    for (column, rows) in values {
      let kept = graph.tables[column.table].columns[column.column]
      for (row, new) in rows where isUpdate(GraphPlace(table: column.table, row: row)) {
        if cancel.isRequested { return [] }
        let old = ChangeValue(kept.cell(row))
        guard old != new else { continue }
        changes[GraphPlace(table: column.table, row: row), default: []]
          .append((column.column, old, new))
      }
    }
    for (column, rows) in links {
      let kept = graph.tables[column.table].columns[column.column]
      let (destination, isToMany) = kept.kind.link
      for (row, new) in rows where isUpdate(GraphPlace(table: column.table, row: row)) {
        if cancel.isRequested { return [] }
        let old = kept.targets(row)
        guard old != new else { continue }
        changes[GraphPlace(table: column.table, row: row), default: []].append(
          (
            column.column, linked(old, destination, isToMany), linked(new, destination, isToMany)
          ))
      }
    }
    return batches(changes)
  }

  /// Whether an object that is there already goes on; one that is gone may have left links behind.
  private func isUpdate(_ place: GraphPlace) -> Bool {
    newPlaces[place] == nil && !isDeleted.contains(place)
      && graph.tables[place.table].isLive(place.row)
  }

  /// Updates in the order of tables and rows; rows with the same keys stand together.
  private func batches(
    _ changes: [GraphPlace: [(column: Int, old: ChangeValue, new: ChangeValue)]]
  ) -> [UpdatedObjects] {
    var batches = UpdateBuilder()
    for place in inOrder(changes.keys) {
      if cancel.isRequested { break }
      let id = graph.tables[place.table].objectID(place.row)
      let columns = graph.tables[place.table].layout.columns
      let values = (changes[place] ?? []).sorted { $0.column < $1.column }
      batches.add(id.entity, id.number, values.map { (columns[$0.column].key, $0.old, $0.new) })
    }
    return batches.batches
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
  var destination: Int? {
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

extension Graph {
  /// An object's values as a change set has them: attributes, and relationships kept on its side.
  func storedValues(_ table: Int, _ row: Int) -> [(key: String, value: ChangeValue)] {
    let source = tables[table]
    let code = source.entityCode(row)
    let slots = source.layout.slots[code]
    let entity = source.layout.entities[code]
    var result: [(key: String, value: ChangeValue)] = []
    for attribute in model.allAttributes(of: entity) {
      guard let column = slots[attribute.name]?.attributeColumn else { continue }
      result.append((attribute.name, ChangeValue(source.columns[column].cell(row))))
    }
    for relationship in model.allRelationships(of: entity) {
      guard let (column, destination) = slots[relationship.name]?.linkColumn else { continue }
      let numbers = source.columns[column].targets(row).map {
        tables[destination].identifiers[Int($0)]
      }
      guard let first = numbers.first else { continue }
      result.append(
        (relationship.name, relationship.isToMany ? .objects(numbers) : .object(first)))
    }
    return result
  }
}
