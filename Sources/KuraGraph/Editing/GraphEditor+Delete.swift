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
    var open: [GraphPlace] = []
    for id in ids {
      guard let place = find(id) else {
        // It may have gone with one before it.
        guard graph.find(id) != nil else { throw Diagnostic(ChangeFacts.noObject(id)) }
        continue
      }
      open.append(place)
    }
    while let place = open.popLast() {
      guard isDeleted.insert(place).inserted else { continue }
      deleted.append(place)
      let relationships = model.allRelationships(of: objectID(place).entity)
      for relationship in relationships { follow(relationship, from: place, &open) }
      forget(place)
    }
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

  /// Empties what leads to a deleted object and has no inverse.
  private mutating func forget(_ place: GraphPlace) {
    for column in graph.oneWayColumns(to: place.table) {
      for source in sources(column, of: place.row) {
        removeTarget(column, Int(source), place.row)
      }
    }
  }
}

extension Graph {
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
