import KuraBytes
package import KuraDiagnostics
import KuraModel
package import KuraValues

extension GraphEditor {
  /// Deletes objects, and applies their delete rules.
  ///
  /// `cascade` deletes the destination too, also around a cycle. `nullify` removes the object from
  /// the inverse. `deny` and `none` leave the inverse unchanged; as in Core Data, `deny` is checked
  /// at the save. A relationship without inverse that leads here is emptied.
  package mutating func delete(_ ids: [ObjectID]) throws(Diagnostic) {
    var open: [GraphPlace] = []
    for id in ids {
      try checkCancel()
      guard let place = find(id) else {
        // An earlier deletion may have included it.
        guard knownPlace(id) != nil else { throw Diagnostic(ChangeProblem.noObject(id)) }
        continue
      }
      open.append(place)
    }
    try delete(open)
  }

  /// Deletes the objects of some rows of a table, as `delete` by identity.
  package mutating func delete(table: Int, rows: [UInt32]) throws(Diagnostic) {
    if deleteAtOnce(table: table, rows: rows) { return }
    try delete(rows.map { GraphPlace(table: table, row: Int($0)) })
  }

  private mutating func delete(_ places: [GraphPlace]) throws(Diagnostic) {
    var open = places
    while let place = open.popLast() {
      try checkCancel()
      guard isThere(place) else { continue }
      isDeleted.insert(place)
      let relationships = model.allRelationships(of: objectID(place).entity)
      for relationship in relationships { follow(relationship, from: place, &open) }
      if newPlaces[place] == nil {
        deleted.insert(place)
        if notesTouches { removed.append(place) }
        forget(place, by: graph.oneWayColumns(to: place.table))
      } else {
        // A new object leaves no links, regardless of its rules.
        forget(place, by: graph.linkColumns(to: place.table))
      }
    }
  }

  /// The numbers of deleted objects by entity, in the order of the model.
  package var deletedCounts: [EntityCount] {
    var counts: [String: Int] = [:]
    for (number, rows) in deleted.byTable where !cancel.isRequested {
      let table = graph.tables[number]
      for row in rows.lazy.map({ Int($0) })
      where inserted.isEmpty || isDeleted.contains(GraphPlace(table: number, row: row)) {
        counts[table.layout.entities[table.entityCode(row)], default: 0] += 1
      }
    }
    return model.entities.compactMap { entity in
      counts[entity.name].map { EntityCount(entity: entity.name, count: $0) }
    }
  }

  /// Returns whether an object exists; links can lead to deleted ones.
  private func isThere(_ place: GraphPlace) -> Bool {
    if isDeleted.contains(place) { return false }
    return newPlaces[place] != nil || graph.tables[place.table].isLive(place.row)
  }

  private mutating func follow(
    _ relationship: Relationship, from place: GraphPlace, _ open: inout [GraphPlace]
  ) {
    guard let slot = slot(relationship.name, place), let table = graph.destination(slot) else {
      return
    }
    switch relationship.deleteRule {
    case .cascade:
      open += related(slot, place).map { GraphPlace(table: table, row: Int($0)) }
    case .nullify:
      for row in related(slot, place) {
        leave(slot, place, at: GraphPlace(table: table, row: Int(row)))
      }
    case .deny, .none: return
    }
  }

  /// Removes a deleted object from the inverse of a relationship.
  private mutating func leave(_ slot: KeySlot, _ place: GraphPlace, at other: GraphPlace) {
    switch slot {
    case .attribute, .unresolved: return
    case .toOne(let column, _), .toMany(let column, _, _):
      switch graph.otherEnd(of: ColumnPlace(table: place.table, column: column)) {
      case .none, .read: return
      case .itself:
        if other != place {
          removeTarget(ColumnPlace(table: place.table, column: column), other.row, place.row)
        }
      case .stored(let there): removeTarget(there, other.row, place.row)
      }
    case .inverse(let source, let column, _):
      removeTarget(ColumnPlace(table: source, column: column), other.row, place.row)
    }
  }

  /// Removes an object from the links of some columns.
  mutating func forget(_ place: GraphPlace, by columns: [ColumnPlace]) {
    for column in columns {
      for source in sources(column, of: place.row) {
        removeTarget(column, Int(source), place.row)
      }
    }
  }
}

// Many objects at once
extension GraphEditor {
  /// Deletes many objects in ascending rows, if that does not affect other objects. Otherwise, or
  /// for few objects, returns false without a change.
  mutating func deleteAtOnce(table: Int, rows: [UInt32]) -> Bool {
    guard ColumnCells.chunks(of: rows) != nil, let code = soleEntity(table, rows),
      haveNoDeleteEffects(graph.tables[table].layout.entities[code], table)
    else { return false }
    deleted.insert(rows, of: table)
    isDeleted.insert(rows, of: table)
    return true
  }

  /// Returns whether deleting objects of an entity does not affect other objects.
  private func haveNoDeleteEffects(_ entity: String, _ table: Int) -> Bool {
    graph.oneWayColumns(to: table).isEmpty
      && model.allRelationships(of: entity).allSatisfy { isSilent($0, of: entity) }
  }

  /// Returns whether a relationship is unaffected by the deletion of its object, because the
  /// inverse is derived from it.
  private func isSilent(_ relationship: Relationship, of entity: String) -> Bool {
    guard let place = graph.place(of: entity),
      let slot = graph.tables[place.table].layout.slots[place.code][relationship.name]
    else { return true }
    switch (relationship.deleteRule, slot) {
    case (.deny, _), (.none, _), (_, .attribute), (_, .unresolved): return true
    case (.nullify, .toOne(let column, _)), (.nullify, .toMany(let column, _, _)):
      switch graph.otherEnd(of: ColumnPlace(table: place.table, column: column)) {
      case .none, .read: return true
      case .itself, .stored: return false
      }
    case (.nullify, .inverse), (.cascade, _): return false
    }
  }

  /// The deleted objects of the graph, in the order of tables and rows.
  var deletedObjects: [ObjectBatch] {
    deleted.byTable.flatMap { table, all -> [ObjectBatch] in
      var (batches, forms) = ([ObjectBatch](), [Int: StoredForm]())
      var rows = all[...]
      while let first = rows.first, !cancel.isRequested {
        let code = graph.tables[table].entityCode(Int(first))
        let same = rows.prefix { graph.tables[table].entityCode(Int($0)) == code }
        let form = forms[code] ?? StoredForm(graph, table, code: code)
        forms[code] = form
        batches += form.batches(Array(same), of: graph, cancel)
        rows = rows.dropFirst(same.count)
      }
      return batches
    }
  }
}

/// A number of objects of an entity.
package struct EntityCount: Sendable, Equatable {
  package var entity: String
  package var count: Int

  package init(entity: String, count: Int) {
    self.entity = entity
    self.count = count
  }
}

extension Graph {
  /// Returns the stored relationships that lead to a table.
  func linkColumns(to table: Int) -> [ColumnPlace] {
    tables.indices.flatMap { source in
      tables[source].layout.columns.indices.map { ColumnPlace(table: source, column: $0) }
    }
    .filter { definition($0).kind.destination == table }
  }

  /// Returns the relationships without inverse that lead to a table.
  func oneWayColumns(to table: Int) -> [ColumnPlace] {
    linkColumns(to: table).filter { place in
      let column = definition(place)
      return model.inverse(of: column.key, in: column.entity) == nil
    }
  }
}

extension Model {
  /// Returns whether objects of an entity can be deleted while links to them remain.
  func leavesLinks(to entity: String) -> Bool {
    allRelationships(of: entity).contains {
      ($0.deleteRule == .deny || $0.deleteRule == .none)
        && inverse(of: $0.name, in: entity) != nil
    }
  }
}
