import KuraModel
import KuraSentences
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
      wanted: count == 1 ? first.description : localized("\(count) objects, \(first) among them"))
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

extension Graph {
  /// The keys of an object that are unique and are another object's too.
  func uniqueFailures(_ place: GraphPlace) -> [ValidationFailure] {
    let table = tables[place.table]
    let id = table.objectID(place.row)
    return model.allUniquenessConstraints(of: id.entity).compactMap { constraint in
      guard let other = object(alike: place, constraint) else { return nil }
      let object = GraphSnapshot(self).object(table: place.table, row: place.row)
      return ValidationFailure(
        object: id, key: constraint.keys.joined(separator: ", "), rule: .unique,
        value: (try? object.value(forKey: constraint.keys[0])) ?? .null,
        wanted: other.description, other: other)
    }
  }

  /// Another object of the constraint's entity with the same values.
  private func object(alike place: GraphPlace, _ constraint: UniquenessConstraint) -> ObjectID? {
    let table = tables[place.table]
    let slots = table.layout.slots[table.entityCode(place.row)]
    let columns = constraint.keys.compactMap { slots[$0]?.column }
    guard columns.count == constraint.keys.count else {
      return searched(place, constraint, slots)
    }
    return table.rows(alike: place.row, in: columns).lazy
      .map(table.objectID)
      .first { model.entity($0.entity, isKindOf: constraint.owner) }
  }

  /// Where a key has no column of its own: all objects are looked at.
  private func searched(
    _ place: GraphPlace, _ constraint: UniquenessConstraint, _ slots: [String: KeySlot]
  ) -> ObjectID? {
    let table = tables[place.table]
    func values(_ row: Int) -> [ChangeValue]? {
      var values: [ChangeValue] = []
      for key in constraint.keys {
        guard let slot = slots[key] else { return nil }
        let value: ChangeValue =
          slot.attributeColumn.map { ChangeValue(table.columns[$0].cell(row)) }
          ?? rows(slot, place.table, row).first.map { .object(Int64($0)) } ?? .null
        if value == .null { return nil }
        values.append(value)
      }
      return values
    }
    guard let own = values(place.row) else { return nil }
    return (0..<table.count).lazy
      .filter { $0 != place.row && table.isLive($0) && values($0) == own }
      .map(table.objectID)
      .first { model.entity($0.entity, isKindOf: constraint.owner) }
  }
}
