package import KuraDiagnostics
import KuraModel
package import KuraValues

extension GraphEditor {
  /// Gives a key of an object another value: an attribute's of its type, or objects.
  ///
  /// Throws where the value does not fit the key.
  package mutating func set(_ value: NewValue, of id: ObjectID) throws(Diagnostic) {
    spill()
    let place = try place(of: id)
    try set(value, place, entity: objectID(place).entity)
  }

  /// The same for an object by its row.
  package mutating func set(
    _ value: NewValue, table: Int, row: Int, entity: String
  ) throws(Diagnostic) {
    spill()
    try set(value, GraphPlace(table: table, row: row), entity: entity)
  }

  /// Gives an attribute of many objects of a table values of its type, which fit; false, and nothing is
  /// done, where the key is no attribute of each, or is derived.
  package mutating func setAttribute(
    _ key: String, _ new: [Value], table: Int, rows: [Int], entities: [String]
  ) -> Bool {
    var found: (entity: String, type: AttributeType, column: Int)?
    for (row, entity) in zip(rows, entities) where found?.entity != entity {
      guard case .attribute(let attribute)? = model.property(named: key, of: entity),
        attribute.derivation == nil,
        let column = slot(key, GraphPlace(table: table, row: row))?.attributeColumn,
        found.map({ $0.type == attribute.type && $0.column == column }) ?? true
      else { return false }
      found = (entity, attribute.type, column)
    }
    guard let (_, type, column) = found else { return true }
    spill()
    let place = AttributeColumn(table: table, column: column)
    var kept = values.removeValue(forKey: place) ?? [:]
    kept.reserveCapacity(kept.count + rows.count)
    for (row, value) in zip(rows, new) {
      kept[row] = ChangeValue(StoredCell(value, as: type))
    }
    values[place] = kept
    return true
  }

  /// The place of an object that must be there.
  func place(of id: ObjectID) throws(Diagnostic) -> GraphPlace {
    guard let place = find(id) else { throw Diagnostic(ChangeFacts.noObject(id)) }
    return place
  }

  mutating func set(_ value: NewValue, _ place: GraphPlace, entity: String) throws(Diagnostic) {
    switch model.property(named: value.key, of: entity) {
    case .attribute(let attribute)?:
      guard attribute.derivation == nil else {
        throw Diagnostic(ChangeFacts.derived(value.key, entity: entity), at: value.span)
      }
      store(ChangeValue(StoredCell(value.value, as: attribute.type)), value.key, place)
    case .relationship(let relationship)?:
      let rows = try rows(value, relationship, entity)
      guard let slot = slot(value.key, place) else { return }
      if case .unresolved = slot, !rows.isEmpty {
        throw Diagnostic(
          ChangeFacts.unresolvedDestination(
            entity: entity, key: value.key, destination: relationship.destination), at: value.span)
      }
      relate(slot, place, to: combined(value.operation, rows, slot, place))
    case nil:
      let known = model.keys(of: entity)
      throw Diagnostic(
        ChangeFacts.unknownKey(value.key, entity: entity, known: known), at: value.span)
    }
  }

  /// The rows that a relationship is to have.
  private func combined(
    _ operation: NewValue.Operation, _ rows: [UInt32], _ slot: KeySlot, _ place: GraphPlace
  ) -> [UInt32] {
    if operation == .set { return rows }
    let present = related(slot, place)
    let given = Set(rows)
    if operation == .remove { return present.filter { !given.contains($0) } }
    let known = Set(present)
    return present + rows.filter { !known.contains($0) }
  }

  /// Keeps an attribute's new value.
  mutating func store(_ value: ChangeValue, _ key: String, _ place: GraphPlace) {
    guard let column = slot(key, place)?.attributeColumn else { return }
    if let new = newPlaces[place] {
      inserted[new].cells[column] = value
      return
    }
    values[AttributeColumn(table: place.table, column: column), default: [:]][place.row] = value
  }

  /// The value an attribute has now.
  func value(_ column: AttributeColumn, _ row: Int) -> ChangeValue {
    if let new = newPlaces[GraphPlace(table: column.table, row: row)] {
      if let given = inserted[new].cells[column.column] { return given }
    } else if let changed = values[column]?[row] {
      return changed
    }
    let table = graph.tables[column.table]
    return row < table.count ? ChangeValue(table.columns[column.column].cell(row)) : .null
  }
}

extension GraphEditor {
  /// The rows of the objects that a relationship is to have, each once.
  private func rows(
    _ value: NewValue, _ relationship: Relationship, _ entity: String
  ) throws(Diagnostic) -> [UInt32] {
    let objects = value.value.relatedObjects
    let fits = objects?.allSatisfy { $0 != nil } ?? false
    if fits, let objects, !relationship.isToMany, !value.value.isNull, objects.count != 1 {
      throw Diagnostic(
        ChangeFacts.notOneObject(key: relationship.name, count: objects.count), at: value.span)
    }
    guard fits, let objects else {
      throw Diagnostic(
        ChangeFacts.notObjects(
          key: relationship.name, destination: relationship.destination,
          isToMany: relationship.isToMany), at: value.span)
    }
    var rows: [UInt32] = []
    var seen: Set<UInt32> = []
    for case let id? in objects {
      let row = try row(of: id, relationship, at: value.span)
      if seen.insert(row).inserted { rows.append(row) }
    }
    return rows
  }

  private func row(
    of id: ObjectID, _ relationship: Relationship, at span: SourceSpan?
  ) throws(Diagnostic) -> UInt32 {
    guard let place = find(id) else { throw Diagnostic(ChangeFacts.noObject(id), at: span) }
    let id = objectID(place)
    guard model.entity(id.entity, isKindOf: relationship.destination) else {
      throw Diagnostic(
        ChangeFacts.wrongDestination(
          id, key: relationship.name, destination: relationship.destination), at: span)
    }
    return UInt32(truncatingIfNeeded: place.row)
  }
}

extension Value {
  /// The objects that a relationship's value names; nil inside for what is no object.
  package var relatedObjects: [ObjectID?]? {
    switch self {
    case .null: []
    case .object(let reference): [reference.id]
    case .list(let values): values.map(\.objectIDValue)
    case .set(let values): values.elements.map(\.objectIDValue)
    default: nil
    }
  }

  private var objectIDValue: ObjectID? {
    if case .object(let reference) = self { reference.id } else { nil }
  }
}
