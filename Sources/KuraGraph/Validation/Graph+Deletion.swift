package import KuraBytes
import KuraModel
import KuraSentences
package import KuraValues

extension Graph {
  /// Returns the relationships that deny deletions.
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
      object: id(entity, number),
      key: relationship.name, rule: .deniedDelete, value: .null,
      wanted: count == 1 ? first.description : localized("\(count) objects, including \(first)"))
  }

  /// Returns the rows at the other end of a deleted object's relationship; if the other end is
  /// stored, the rows that still lead to the object.
  private func rowsLeft(_ slot: KeySlot, _ place: GraphPlace) -> [Int] {
    guard let (column, destination) = slot.linkColumn else {
      return linkedRows(slot, place.table, place.row)
    }
    let here = ColumnPlace(table: place.table, column: column)
    switch otherEnd(of: here) {
    case .none, .read: return tables[place.table].columns[column].targets(place.row).map { Int($0) }
    case .itself: return inverse(source: place.table, column: column)[place.row].map { Int($0) }
    case .stored(let there):
      return inverse(source: destination, column: there.column)[place.row].map { Int($0) }
    }
  }

  /// Returns links of an object to deleted ones, except those that deny the deletion.
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
  /// Returns whether the change deletes an object. Linear in the deletions.
  fileprivate func deletes(_ id: ObjectID) -> Bool {
    deleted.contains { $0.entity == id.entity && $0.numbers.contains(id.number) }
  }
}

extension Graph {
  /// Returns the unique keys of an object that another object shares.
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

  /// Returns another object of the constraint's entity with the same values.
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

  /// Searches all objects, because a key has no column.
  private func searched(
    _ place: GraphPlace, _ constraint: UniquenessConstraint, _ slots: [String: KeySlot]
  ) -> ObjectID? {
    let table = tables[place.table]
    func values(_ row: Int) -> [StoredCell]? {
      var values: [StoredCell] = []
      for key in constraint.keys {
        guard let slot = slots[key] else { return nil }
        let value: StoredCell =
          slot.attributeColumn.map { table.columns[$0].cell(row) }
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

/// A state that no document can represent, so that a store with it could not be opened again.
package struct UnrepresentableState: Sendable, Equatable {
  package enum Kind: Sendable {
    /// A mandatory attribute is null.
    case missing
    /// A link leads to no object, or to one of another entity.
    case dangling
    /// A to-many relationship contains an object twice.
    case twice
    /// The inverse of a link disagrees.
    case contradiction
    /// A deleted object to which another leads.
    case danglingDestination
  }

  package var object: ObjectID
  package var key: String
  package var kind: Kind
}

extension Graph {
  /// Returns the first state that no document can represent, after a change that the graph has applied.
  ///
  /// Linear in the change and in the links of the objects it affects; the inverse of each
  /// relationship is counted once. Nil also if cancelled.
  package func unrepresentableState(
    after change: ChangeSet, _ cancel: CancelFlag = CancelFlag()
  ) -> UnrepresentableState? {
    for batch in change.inserted {
      if let fault = fault(batch, nil, cancel) { return fault }
    }
    for batch in change.updated {
      if let fault = fault(batch, batch.columns.map(\.key), cancel) { return fault }
    }
    for batch in change.deleted {
      if let fault = faultAfter(batch) { return fault }
    }
    return nil
  }

  /// Returns the first fault of objects: new objects are checked in all mandatory attributes,
  /// others only in the given keys.
  private func fault(
    _ batch: ObjectBatch, _ keys: [String]?, _ cancel: CancelFlag
  ) -> UnrepresentableState? {
    guard let place = place(of: batch.entity) else { return nil }
    let table = tables[place.table]
    let mandatory = mandatoryColumns(place, batch.entity, keys).filter {
      table.columns[$0.column].mayHaveNulls
    }
    let links = batch.columns.compactMap { linkForm(place, $0.key, $0.new) }
    if mandatory.isEmpty, links.isEmpty { return nil }
    for (i, number) in batch.numbers.enumerated() where !cancel.isRequested {
      guard let row = table.row(of: number) else { continue }
      let kind =
        mandatory.first { table.columns[$0.column].isNull(row) }.map { ($0.key, .missing) }
        ?? links.lazy.compactMap { link in fault(link, row, i).map { (link.key, $0) } }.first
        as (String, UnrepresentableState.Kind)?
      if let kind {
        return UnrepresentableState(object: table.objectID(row), key: kind.0, kind: kind.1)
      }
    }
    return nil
  }

  /// Returns the mandatory attributes, all or those among some keys.
  private func mandatoryColumns(
    _ place: EntityPlace, _ entity: String, _ keys: [String]?
  ) -> [(key: String, column: Int)] {
    let slots = tables[place.table].layout.slots[place.code]
    return model.allAttributes(of: entity).compactMap { attribute in
      guard !attribute.isOptional, attribute.derivation == nil, !attribute.isTransient,
        keys?.contains(attribute.name) ?? true, let column = slots[attribute.name]?.attributeColumn
      else { return nil }
      return (attribute.name, column)
    }
  }
}

/// A relationship that is stored on one side, with the requirements for its links.
private struct LinkForm {
  var key: String
  var column: ColumnPlace
  var destination: Int
  /// The codes of the valid destination entities.
  var codes: Set<Int>
  var otherEnd: OtherEnd
  /// The number of links of each object in the change.
  var counts: [Int]
}

extension Graph {
  private func linkForm(
    _ place: EntityPlace, _ key: String, _ values: ChangeValues
  ) -> LinkForm? {
    guard let link = tables[place.table].layout.slots[place.code][key]?.linkColumn else {
      return nil
    }
    let column = ColumnPlace(table: place.table, column: link.column)
    let definition = definition(column)
    let to = model[definition.entity]?.relationships.first { $0.name == key }?.destination
    return LinkForm(
      key: key, column: column, destination: link.destination, codes: codes(of: to ?? ""),
      otherEnd: otherEnd(of: column), counts: values.map(\.numbers.count))
  }

  private func fault(_ link: LinkForm, _ row: Int, _ place: Int) -> UnrepresentableState.Kind? {
    let targets = tables[link.column.table].columns[link.column.column].targets(row)
    // Numbers of nonexistent objects have left no link.
    guard targets.count == link.counts[place], targets.allSatisfy({ fits(Int($0), link) }) else {
      return .dangling
    }
    if targets.count > 1, Set(targets).count < targets.count { return .twice }
    return agrees(link, row, targets) ? nil : .contradiction
  }

  private func fits(_ target: Int, _ link: LinkForm) -> Bool {
    let table = tables[link.destination]
    return table.isLive(target) && link.codes.contains(table.entityCode(target))
  }

  private func agrees(_ link: LinkForm, _ row: Int, _ targets: [UInt32]) -> Bool {
    switch link.otherEnd {
    case .none, .read(isToOne: false): return true
    case .read(isToOne: true):
      return targets.allSatisfy { sources(of: link.column, leadingTo: Int($0)).count == 1 }
    case .itself: return Set(sources(of: link.column, leadingTo: row)) == Set(targets)
    case .stored(let other): return Set(sources(of: other, leadingTo: row)) == Set(targets)
    }
  }

  private func sources(of link: ColumnPlace, leadingTo row: Int) -> [UInt32] {
    inverse(source: link.table, column: link.column)[row]
      .filter { tables[link.table].isLive(Int($0)) }
  }

  /// Returns the first deleted object to which another leads.
  private func faultAfter(_ batch: ObjectBatch) -> UnrepresentableState? {
    guard let place = place(of: batch.entity) else { return nil }
    let gone = batch.numbers.filter { tables[place.table].row(of: $0) == nil }
      .compactMap { number in
        tables[place.table].identifiers.row(of: number).map { (number, $0) }
      }
    guard !gone.isEmpty else { return nil }
    for link in linkColumns(to: place.table) {
      for (number, row) in gone where !sources(of: link, leadingTo: row).isEmpty {
        return UnrepresentableState(
          object: id(batch.entity, number), key: definition(link).key,
          kind: .danglingDestination)
      }
    }
    return nil
  }
}
