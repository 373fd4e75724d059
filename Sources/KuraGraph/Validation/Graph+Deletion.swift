import KuraModel
import KuraValues

extension Graph {
  /// What denies deletions.
  func deletionFailures(_ change: ChangeSet) -> [ValidationFailure] {
    guard mayDangle else { return [] }
    return change.deleted.flatMap { batch in
      model.allRelationships(of: batch.entity).filter { $0.deleteRule == .deny }
        .flatMap { relationship in
          batch.numbers.compactMap { denial(relationship, of: batch.entity, $0) }
        }
    }
  }

  private func denial(
    _ relationship: Relationship, of entity: String, _ number: Int64
  ) -> ValidationFailure? {
    guard let place = place(of: entity), let row = tables[place.table].identifiers.row(of: number),
      let slot = tables[place.table].layout.slots[place.code][relationship.name],
      let destination = destination(slot)
    else { return nil }
    let others = rowsLeft(slot, GraphPlace(table: place.table, row: row))
      .filter(tables[destination].isLive).map(tables[destination].objectID)
    guard let first = others.first else { return nil }
    let count = others.count
    return ValidationFailure(
      object: ObjectID(entity: entity, root: model.root(of: entity), number: number),
      key: relationship.name, rule: .deniedDelete, value: .null,
      wanted: count == 1 ? first.description : "\(count) objects, \(first) among them")
  }

  /// The rows at the other end of a deleted object's relationship: who still leads to it, where
  /// the other end keeps its links.
  private func rowsLeft(_ slot: KeySlot, _ place: GraphPlace) -> [Int] {
    guard let (column, destination) = slot.linkColumn else {
      return linkedRows(slot, place.table, place.row)
    }
    let here = LinkColumn(table: place.table, column: column)
    switch otherEnd(of: here) {
    case .none, .read: return tables[place.table].columns[column].targets(place.row).map { Int($0) }
    case .itself: return inverse(source: place.table, column: column)[place.row].map { Int($0) }
    case .kept(let there):
      return inverse(source: destination, column: there.column)[place.row].map { Int($0) }
    }
  }
}

extension Graph {
  /// Links of an object to deleted ones; not those that deny the deletion.
  func danglingFailures(_ place: GraphPlace, _ change: ChangeSet) -> [ValidationFailure] {
    guard mayDangle else { return [] }
    let table = tables[place.table]
    let id = table.objectID(place.row)
    return model.allRelationships(of: id.entity).flatMap { relationship -> [ValidationFailure] in
      guard let slot = table.layout.slots[table.entityCode(place.row)][relationship.name],
        let (column, destination) = slot.linkColumn
      else { return [] }
      let inverse = model.inverse(of: relationship.name, in: id.entity)?.relationship
      return table.columns[column].targets(place.row).map { Int($0) }
        .filter { !tables[destination].isLive($0) }.map(tables[destination].objectID)
        .filter { inverse?.deleteRule != .deny || !change.deletes($0) }
        .map {
          ValidationFailure(
            object: id, key: relationship.name, rule: .dangling, value: .null,
            wanted: $0.description)
        }
    }
  }
}

extension ChangeSet {
  /// Linear in the deletions.
  fileprivate func deletes(_ id: ObjectID) -> Bool {
    deleted.contains { $0.entity == id.entity && $0.numbers.contains(id.number) }
  }
}
