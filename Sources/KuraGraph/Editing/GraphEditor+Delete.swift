import KuraBytes
package import KuraDiagnostics
import KuraModel
package import KuraValues

extension GraphEditor {
  /// Deletes objects, and what their delete rules say of others.
  ///
  /// `cascade` deletes the destination too, round a cycle once; `nullify` takes the object from the
  /// other end; `deny` and `none` leave the other end as it is, and `deny` is asked at the save, as
  /// Core Data does. A relationship that has no inverse and leads here is emptied.
  package mutating func delete(_ ids: [ObjectID]) throws(Diagnostic) {
    spill()
    var open: [GraphPlace] = []
    for id in ids {
      try checkCancel()
      guard let place = find(id) else {
        // It may have gone with one before it.
        guard knownPlace(id) != nil else { throw Diagnostic(ChangeFacts.noObject(id)) }
        continue
      }
      open.append(place)
    }
    while let place = open.popLast() {
      try checkCancel()
      guard isThere(place) else { continue }
      isDeleted.insert(place)
      let relationships = model.allRelationships(of: objectID(place).entity)
      for relationship in relationships { follow(relationship, from: place, &open) }
      if newPlaces[place] == nil {
        deleted.append(place)
        forget(place, by: graph.oneWayColumns(to: place.table))
      } else {
        // An object that nobody has seen leaves no link behind, whatever its rules say.
        forget(place, by: graph.linkColumns(to: place.table))
      }
    }
  }

  /// How many objects of each entity go, in the order of the model.
  package var deletedCounts: [EntityCount] {
    var counts: [String: Int] = [:]
    for place in deleted where isDeleted.contains(place) && !cancel.isRequested {
      let table = graph.tables[place.table]
      counts[table.layout.entities[table.entityCode(place.row)], default: 0] += 1
    }
    if let deletedRows, let first = deletedRows.rows.first {
      let table = graph.tables[deletedRows.table]
      counts[table.layout.entities[table.entityCode(Int(first))]] = deletedRows.rows.count
    }
    return model.entities.compactMap { entity in
      counts[entity.name].map { EntityCount(entity: entity.name, count: $0) }
    }
  }

  /// Whether there is an object; a link may lead to one that is gone.
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

  /// Takes a deleted object from the other end of a relationship.
  private mutating func leave(_ slot: KeySlot, _ place: GraphPlace, at other: GraphPlace) {
    switch slot {
    case .attribute, .unresolved: return
    case .toOne(let column, _), .toMany(let column, _, _):
      switch otherEnd(of: LinkColumn(table: place.table, column: column)) {
      case .none, .read: return
      case .itself:
        if other != place {
          removeTarget(LinkColumn(table: place.table, column: column), other.row, place.row)
        }
      case .kept(let there): removeTarget(there, other.row, place.row)
      }
    case .inverse(let source, let column, _):
      removeTarget(LinkColumn(table: source, column: column), other.row, place.row)
    }
  }

  /// Takes an object out of the links of some columns.
  mutating func forget(_ place: GraphPlace, by columns: [LinkColumn]) {
    for column in columns {
      for source in sources(column, of: place.row) {
        removeTarget(column, Int(source), place.row)
      }
    }
  }
}

/// How many objects of an entity something is about.
package struct EntityCount: Sendable, Equatable {
  package var entity: String
  package var count: Int

  package init(entity: String, count: Int) {
    self.entity = entity
    self.count = count
  }
}

extension Graph {
  /// The relationships that are kept and lead to a table.
  func linkColumns(to table: Int) -> [LinkColumn] {
    tables.indices.flatMap { source in
      tables[source].layout.columns.indices
        .filter { tables[source].layout.columns[$0].kind.points(to: table) }
        .map { LinkColumn(table: source, column: $0) }
    }
  }

  /// The relationships without inverse that lead to a table.
  func oneWayColumns(to table: Int) -> [LinkColumn] {
    tables.indices.flatMap { source in
      tables[source].layout.columns.enumerated().compactMap { number, column in
        column.kind.points(to: table) && model.inverse(of: column.key, in: column.entity) == nil
          ? LinkColumn(table: source, column: number) : nil
      }
    }
  }
}

extension Model {
  /// Whether objects of an entity may be deleted while others go on leading to them.
  func leavesLinks(to entity: String) -> Bool {
    allRelationships(of: entity).contains {
      ($0.deleteRule == .deny || $0.deleteRule == .none)
        && inverse(of: $0.name, in: entity) != nil
    }
  }
}
