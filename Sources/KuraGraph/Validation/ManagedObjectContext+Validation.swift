import KuraBytes
import KuraModel
package import KuraPredicates
package import KuraValues

extension ManagedObjectContext {
  /// Every rule that something changed since the last save breaks, in the order of the objects.
  ///
  /// Relationships to entities that are not defined yet are in `unresolved` of `ModelCheck`.
  /// Linear in the changes; where a key is unique, once in the entity's objects. Ends early where
  /// somebody asks for it, with whatever was found.
  package func validationFailures(in context: EvaluationContext) -> [ValidationFailure] {
    if hasModelChanges { return allValidationFailures(in: context) }
    guard let net = netChange(context.cancel) else { return [] }
    return graph.validationFailures(after: net, departed: departed, in: context)
  }

  /// Every object that was deleted since the last save. One that came since is in no net change, and
  /// others may lead to it under `deny` or `none`.
  private var departed: [ObjectBatch] {
    guard graph.mayDangle else { return [] }
    var seen: Set<ObjectID> = []
    return objectChanges.flatMap(\.deleted).map { batch in
      let root = graph.model.root(of: batch.entity)
      return ObjectBatch(
        entity: batch.entity,
        numbers: batch.numbers.filter {
          let id = ObjectID(entity: batch.entity, root: root, number: $0)
          return graph.find(id) == nil && seen.insert(id).inserted
        })
    }
  }

  /// Every rule that any object breaks, table by table in the order of objectIDs; with some objects,
  /// those that they break, in their order.
  package func allValidationFailures(
    of objects: [ObjectID]? = nil, in context: EvaluationContext
  ) -> [ValidationFailure] {
    let snapshot = snapshot
    let change = ChangeSet(deleted: departed)
    if let objects {
      let places = objects.lazy.compactMap(graph.find)
      return places.flatMap {
        failures(GraphPlace(table: $0.table, row: $0.row), snapshot, change, context)
      }
    }
    let found = graph.tables.enumerated().flatMap { number, table -> [ValidationFailure] in
      if graph.isUnbroken(table) { return [] }
      return (0..<table.count).lazy.filter(table.isLive).flatMap { row in
        failures(GraphPlace(table: number, row: row), snapshot, change, context)
      }
    }
    return found + graph.deletionFailures(change)
  }

  private func failures(
    _ place: GraphPlace, _ snapshot: GraphSnapshot, _ change: ChangeSet,
    _ context: EvaluationContext
  ) -> [ValidationFailure] {
    if context.cancel.isRequested { return [] }
    let object = snapshot.object(table: place.table, row: place.row)
    let id = graph.tables[place.table].objectID(place.row)
    return ObjectValidation(object: object, id: id, context: context).failures
      + graph.uniqueFailures(place) + graph.danglingFailures(place, change)
  }
}

extension Graph {
  /// Every rule that a change breaks which the graph has gone through.
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
    let failures = places.sorted { ($0.table, $0.row) < ($1.table, $1.row) }.flatMap {
      place -> [ValidationFailure] in
      if context.cancel.isRequested { return [] }
      let object = snapshot.object(table: place.table, row: place.row)
      let id = tables[place.table].objectID(place.row)
      return ObjectValidation(object: object, id: id, context: context).failures
        + uniqueFailures(place) + danglingFailures(place, gone)
    }
    return failures + deletionFailures(gone)
  }
}

extension Graph {
  /// What breaks a rule of one key, in the order of objectIDs; keys unique together are among them.
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

  /// The column of an attribute which breaks no rule where it has a value.
  private func columnOfWhatCanOnlyMiss(
    _ key: String, _ entity: String, _ place: EntityPlace
  ) -> Column? {
    guard case .attribute(let attribute)? = model.property(named: key, of: entity),
      attribute.canOnlyMiss,
      let column = tables[place.table].layout.slots[place.code][key]?.attributeColumn
    else { return nil }
    return tables[place.table].columns[column]
  }
}

extension Property {
  /// Whether a value could break a rule of it.
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
