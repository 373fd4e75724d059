import KuraModel
package import KuraValues

extension Graph {
  /// Where a change does not fit this state of the graph: an old value that is no longer there, an
  /// object that is gone, a number that was taken. Linear in the change.
  package func conflicts(with change: ChangeSet) -> [ChangeConflict] {
    var found: [ChangeConflict] = []
    let present = Set(change.insertedObjects(in: self))
    let gone = Set(change.deletedObjects(in: self))
    for batch in change.deleted { found += conflicts(deleting: batch) }
    for batch in change.inserted { found += conflicts(inserting: batch, gone) }
    for batch in change.updated { found += conflicts(updating: batch) }
    return found + danglingConflicts(change, present)
  }

  package func id(_ entity: String, _ number: Int64) -> ObjectID {
    ObjectID(entity: entity, root: model.root(of: entity), number: number)
  }

  /// Whether an object is there that was named so, and not another one with its number.
  func has(_ entity: String, _ number: Int64) -> Bool {
    guard let place = place(of: entity), let row = tables[place.table].row(of: number) else {
      return false
    }
    return tables[place.table].entityCode(row) == place.code
  }

  /// Whether a relationship may lead to what has a number now.
  private func canLead(_ relationship: Relationship, to id: ObjectID) -> Bool {
    guard let place = find(id) else { return false }
    return model.entity(
      tables[place.table].objectID(place.row).entity, isKindOf: relationship.destination)
  }

  private func conflicts(inserting batch: ObjectBatch, _ gone: Set<ObjectID>) -> [ChangeConflict] {
    batch.numbers.map { id(batch.entity, $0) }
      .filter { find($0) != nil && !gone.contains($0) }
      .map { ChangeConflict(object: $0, kind: .taken) }
  }

  private func conflicts(deleting batch: ObjectBatch) -> [ChangeConflict] {
    let derivedKeys = derivedKeys
    return batch.numbers.indices.compactMap { i in
      let id = id(batch.entity, batch.numbers[i])
      // Both have deleted it, and agree.
      guard has(batch.entity, id.number), let place = find(id) else { return nil }
      let values = batch.values(i)
      // A key that the change leaves out was empty.
      let others = storedValues(place.table, place.row).map(\.key)
        .filter { key in !values.contains { $0.key == key } }
      for (key, old) in values + others.map({ ($0, ChangeValue.null) })
      where !derivedKeys.contains(key) {
        let present = value(key, of: id)
        if present != old {
          return ChangeConflict(object: id, kind: .changed, key: key, old: old, present: present)
        }
      }
      return nil
    }
  }

  private func conflicts(updating batch: UpdatedObjects) -> [ChangeConflict] {
    batch.numbers.indices.flatMap { i -> [ChangeConflict] in
      let id = id(batch.entity, batch.numbers[i])
      guard has(batch.entity, id.number) else {
        return [ChangeConflict(object: id, kind: .deleted)]
      }
      return batch.columns.compactMap { column in
        let present = value(column.key, of: id)
        guard !canBoth(column.key, of: id, column.old[i], column.new[i], present) else {
          return nil
        }
        return ChangeConflict(
          object: id, kind: .value, key: column.key, old: column.old[i], new: column.new[i],
          present: present)
      }
    }
  }

  /// Whether a value can be changed so though it is another one now.
  private func canBoth(
    _ key: String, of id: ObjectID, _ old: ChangeValue, _ new: ChangeValue, _ present: ChangeValue
  ) -> Bool {
    if present == old { return true }
    let property = model.property(named: key, of: id.entity)
    // Two who have counted on are not one: a number may come of the one before.
    if present == new { return property?.isNumber != true }
    guard case .relationship(let relationship)? = property, relationship.isToMany else {
      return false
    }
    let edit = ListEdit(
      from: old.numbers, to: new.numbers, isOrdered: relationship.isOrdered)
    return edit.done(to: present.numbers) != nil
  }

  /// Links to objects that are neither there nor in the change.
  private func danglingConflicts(
    _ change: ChangeSet, _ present: Set<ObjectID>
  ) -> [ChangeConflict] {
    var found: [ChangeConflict] = []
    func look(_ entity: String, _ number: Int64, _ key: String, _ value: ChangeValue) {
      guard case .relationship(let relationship)? = model.property(named: key, of: entity) else {
        return
      }
      for target in value.numbers {
        let id = id(relationship.destination, target)
        if present.contains(id) || canLead(relationship, to: id) { continue }
        found.append(
          ChangeConflict(
            object: self.id(entity, number), kind: .destination(id), key: key, new: value))
      }
    }
    for batch in change.inserted {
      for column in batch.columns {
        for (i, number) in batch.numbers.enumerated() {
          look(batch.entity, number, column.key, column.values[i])
        }
      }
    }
    for batch in change.updated {
      for column in batch.columns {
        for (i, number) in batch.numbers.enumerated() {
          look(batch.entity, number, column.key, column.new[i])
        }
      }
    }
    return found
  }

  /// What a key of an object holds, as a change set has it.
  package func value(_ key: String, of id: ObjectID) -> ChangeValue {
    guard let place = find(id) else { return .null }
    let table = tables[place.table]
    guard let slot = table.layout.slots[table.entityCode(place.row)][key] else { return .null }
    if let column = slot.attributeColumn {
      return ChangeValue(table.columns[column].cell(place.row))
    }
    guard let (column, destination) = slot.linkColumn else { return .null }
    let numbers = table.columns[column].targets(place.row).map {
      tables[destination].identifiers[Int($0)]
    }
    guard let first = numbers.first else { return .null }
    return slot.isToMany ? .objects(numbers) : .object(first)
  }
}

extension Property {
  fileprivate var isNumber: Bool {
    if case .attribute(let attribute) = self { attribute.type.isNumeric } else { false }
  }
}
