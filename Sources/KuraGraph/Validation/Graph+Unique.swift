import KuraModel
import KuraValues

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
        wanted: other.description)
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
