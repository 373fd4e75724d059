import KuraBytes
import KuraModel
package import KuraPredicates
package import KuraValues

extension GraphContext {
  /// Returns every rule that unsaved changes break, in the order of the objects.
  ///
  /// Relationships to undefined entities are in `unresolved` of `ModelCheck`. Linear in the changes; a unique key adds
  /// one pass over the objects of its entity. If cancelled, returns what was found.
  package func validationFailures(in context: EvaluationContext) -> [ValidationFailure] {
    if hasModelChanges { return allValidationFailures(in: context) }
    guard let net = netChange(context.cancel) else { return [] }
    return graph.validationFailures(after: net, departed: departed, in: context)
  }

  /// All objects deleted since the last save. Objects that were also inserted since are not in the
  /// net change, but other objects can lead to them under `deny` or `none`.
  private var departed: [ObjectBatch] {
    guard graph.mayDangle else { return [] }
    var seen: Set<ObjectID> = []
    return objectChanges.flatMap(\.deleted).map { batch in
      let gone = batch.objectIDs(in: graph.model)
        .filter { graph.find($0) == nil && seen.insert($0).inserted }
      return ObjectBatch(entity: batch.entity, numbers: gone.map(\.number))
    }
  }

  /// Returns every rule that any object breaks, by table and objectID; if objects are given, the
  /// rules that they break, in their order.
  package func allValidationFailures(
    of objects: [ObjectID]? = nil, in context: EvaluationContext
  ) -> [ValidationFailure] {
    let snapshot = snapshot
    let change = ChangeSet(deleted: departed)
    if let objects {
      let places = objects.lazy.compactMap(graph.find)
      return places.flatMap {
        graph.failures(GraphPlace(table: $0.table, row: $0.row), snapshot, change, context)
      }
    }
    let found = graph.tables.enumerated().flatMap { number, table -> [ValidationFailure] in
      if graph.isUnbroken(table) { return [] }
      return (0..<table.count).lazy.filter(table.isLive).flatMap { row in
        graph.failures(GraphPlace(table: number, row: row), snapshot, change, context)
      }
    }
    return found + graph.deletionFailures(change)
  }
}

extension Graph {
  /// Returns every rule that is broken by a change which the graph has applied.
  package func validationFailures(
    after change: ChangeSet, departed: [ObjectBatch] = [], in context: EvaluationContext
  ) -> [ValidationFailure] {
    let gone = departed.isEmpty ? change : ChangeSet(deleted: departed)
    let snapshot = GraphSnapshot(self)
    let open = change.withoutUnbroken(in: self)
    let places = open.touched(in: self, context.cancel).compactMap { id -> GraphPlace? in
      if context.cancel.isRequested { return nil }
      return find(id).map { GraphPlace(table: $0.table, row: $0.row) }
    }
    let found = places.sorted { ($0.table, $0.row) < ($1.table, $1.row) }
      .flatMap { failures($0, snapshot, gone, context) }
    return found + deletionFailures(gone)
  }

  /// Returns every rule that one object breaks; `change` contains the deleted objects.
  fileprivate func failures(
    _ place: GraphPlace, _ snapshot: GraphSnapshot, _ change: ChangeSet,
    _ context: EvaluationContext
  ) -> [ValidationFailure] {
    if context.cancel.isRequested { return [] }
    let object = snapshot.object(table: place.table, row: place.row)
    let id = tables[place.table].objectID(place.row)
    return ObjectValidation(object: object, id: id, context: context).failures
      + uniqueFailures(place) + danglingFailures(place, change)
  }

  /// Returns the failures of rules of one key, by objectID, including combined unique keys.
  func failures(
    ofKey key: String, entity: String, in context: EvaluationContext
  ) -> [ValidationFailure] {
    let snapshot = GraphSnapshot(self)
    let names = [entity] + model.descendants(of: entity)
    let isUnique = names.contains { name in
      model.allUniquenessConstraints(of: name).contains { $0.keys.contains(key) }
    }
    guard isUnique || model.property(named: key, of: entity)?.canBeBroken == true,
      let place = place(of: entity)
    else { return [] }
    let table = tables[place.table]
    let codes = codes(of: entity)
    let missing = isUnique || names.count > 1 ? nil : columnOfWhatCanOnlyMiss(key, entity, place)
    var failures: [ValidationFailure] = []
    for row in 0..<table.count where table.isLive(row) && codes.contains(table.entityCode(row)) {
      if context.cancel.isRequested { break }
      if let missing, !missing.isNull(row) { continue }
      let object = snapshot.object(table: place.table, row: row)
      failures += ObjectValidation(object: object, id: table.objectID(row), context: context)
        .failures(ofKey: key)
      if isUnique { failures += uniqueFailures(GraphPlace(table: place.table, row: row)) }
    }
    return failures
  }

  /// Returns the column of an attribute, if its only rule is that it is not null.
  private func columnOfWhatCanOnlyMiss(
    _ key: String, _ entity: String, _ place: EntityPlace
  ) -> Column? {
    guard let attribute = model.attribute(named: key, of: entity),
      attribute.canOnlyMiss,
      let column = tables[place.table].layout.slots[place.code][key]?.attributeColumn
    else { return nil }
    return tables[place.table].columns[column]
  }
}

extension Property {
  /// Whether a value can break a rule of the property.
  fileprivate var canBeBroken: Bool {
    switch self {
    case .attribute(let attribute):
      !attribute.isOptional || attribute.minimum != nil || attribute.maximum != nil
        || attribute.pattern != nil || attribute.check != nil
    case .relationship(let relationship):
      relationship.leastCount > 0 || relationship.maximumCount != nil
    }
  }
}
