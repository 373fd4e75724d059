package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
package import KuraValues

extension Graph {
  /// Returns the conflicts of a change with this graph: old values that differ, objects that were
  /// deleted, numbers that are taken. Linear in the change.
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

  /// Returns whether the object with a number exists and has exactly this entity.
  func has(_ entity: String, _ number: Int64) -> Bool {
    guard let place = place(of: entity), let row = tables[place.table].row(of: number) else {
      return false
    }
    return tables[place.table].entityCode(row) == place.code
  }

  /// Returns whether a relationship can lead to the present object with an identity.
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
      // Both sides deleted it, so they agree.
      guard has(batch.entity, id.number), let place = find(id) else { return nil }
      let values = batch.oldValues(i)
      // A key that the change omits was empty.
      let others = storedValues(place.table, place.row).map(\.key)
        .filter { key in !values.contains { $0.key == key } }
      for (key, old) in values + others.map({ ($0, StoredCell.null) })
      where !derivedKeys.contains(key) {
        let present = value(key, of: id)
        if present != old {
          return ChangeConflict(object: id, kind: .changed, key: key, old: old, present: present)
        }
      }
      return nil
    }
  }

  private func conflicts(updating batch: ObjectBatch) -> [ChangeConflict] {
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

  /// Returns whether a value can be changed although it differs from the old one.
  private func canBoth(
    _ key: String, of id: ObjectID, _ old: StoredCell, _ new: StoredCell, _ present: StoredCell
  ) -> Bool {
    if present == old { return true }
    let property = model.property(named: key, of: id.entity)
    // Equal increments on both sides are not one change: a number can depend on the previous one.
    if present == new { return property?.attribute?.type.isNumeric != true }
    guard let relationship = property?.relationship, relationship.isToMany else { return false }
    let edit = ListEdit(
      from: old.numbers, to: new.numbers, isOrdered: relationship.isOrdered)
    return edit.done(to: present.numbers) != nil
  }

  /// Returns conflicts for links to objects that neither exist nor are in the change.
  private func danglingConflicts(
    _ change: ChangeSet, _ present: Set<ObjectID>
  ) -> [ChangeConflict] {
    var found: [ChangeConflict] = []
    func look(_ entity: String, _ number: Int64, _ key: String, _ value: StoredCell) {
      guard let relationship = model.relationship(named: key, of: entity) else { return }
      for target in value.numbers {
        let id = id(relationship.destination, target)
        if present.contains(id) || canLead(relationship, to: id) { continue }
        found.append(
          ChangeConflict(
            object: self.id(entity, number), kind: .destination(id), key: key, new: value))
      }
    }
    for batch in change.inserted + change.updated {
      for column in batch.columns {
        for (i, number) in batch.numbers.enumerated() {
          look(batch.entity, number, column.key, column.new[i])
        }
      }
    }
    return found
  }

  /// Returns the value of a key of an object, in the form of a change set.
  package func value(_ key: String, of id: ObjectID) -> StoredCell {
    guard let place = find(id) else { return .null }
    let table = tables[place.table]
    guard let slot = table.layout.slots[table.entityCode(place.row)][key] else { return .null }
    if let column = slot.attributeColumn {
      return table.columns[column].cell(place.row)
    }
    guard let (column, destination) = slot.linkColumn else { return .null }
    return links(table.columns[column], place.row, to: destination, slot.isToMany)
  }
}

extension Graph {
  /// Merges a change that was made for another state with this graph, which other sessions have changed.
  ///
  /// New objects with taken numbers are renumbered. If both changed the same key of the same object, the policy
  /// decides; members of a to-many relationship can be changed by both. The change is replayed edit by edit, so that
  /// both sides of every relationship agree. Effects of an edit beyond the change are conflicts, and so are links to
  /// objects that `origin`, where the change was made, only deletes. Linear in the change, for each round in which the
  /// policy gives up a part of it.
  package func merging(
    _ change: ChangeSet, of origin: Graph, policy: MergePolicy, given: AssignedNumbers,
    in context: EvaluationContext
  ) throws(Diagnostic) -> MergedChange {
    var merger = Merger(change, of: origin, onto: self, policy, given, context.cancel)
    var merged = try merger.merge()
    guard merged.conflicts.isEmpty else { return merged }
    let result = merged.change
    try merged.graph.admit(result, context.cancel)
    let derived = try merged.graph.derivation(after: result, in: context)
    try merged.graph.admit(derived, context.cancel)
    merged.change = ChangeSet.net(of: [result, derived], in: model, context.cancel)
    try context.checkCancel()
    return merged
  }

  /// Returns a change without deletions of objects that are already deleted.
  func present(_ change: ChangeSet) -> ChangeSet {
    change.mapping(deletes: { has($0.entity, $0.number) }, in: self)
  }

  /// The next numbers by root.
  package var assignedNumbers: [String: Int64] {
    Dictionary(
      tables.map { ($0.layout.root, $0.nextNumber) }, uniquingKeysWith: { first, _ in first })
  }

  /// The keys that are recomputed, and therefore ignored in a merge.
  var derivedKeys: Set<String> { Set(layout.derivations.map(\.attribute.name)) }
}

extension ChangeSet {
  /// Returns the change without updates of some keys, which are recomputed.
  func without(_ keys: Set<String>) -> ChangeSet {
    if keys.isEmpty { return self }
    var result = self
    result.updated = updated.compactMap { batch in
      var batch = batch
      batch.columns.removeAll { keys.contains($0.key) }
      return batch.columns.isEmpty ? nil : batch
    }
    return result
  }
}

extension GraphContext {
  /// Merges the unsaved changes with the saves of other sessions.
  ///
  /// `named` are objects to which variables still refer; they are renumbered too if the store has
  /// assigned their numbers. Throws if derived values cannot be computed.
  package func merging(
    onto store: Graph, policy: MergePolicy, named: [ObjectID] = [], in context: EvaluationContext
  ) throws(Diagnostic) -> MergedChange {
    let given = AssignedNumbers(
      before: savedNumbers, next: graph.assignedNumbers,
      objects: history.insertedObjects(graph) + named)
    return try store.merging(netChange, of: graph, policy: policy, given: given, in: context)
  }
}

extension UndoHistory {
  /// Returns the objects that steps have inserted, or would restore.
  fileprivate func insertedObjects(_ graph: Graph) -> [ObjectID] {
    changes.flatMap { change -> [ObjectID] in
      guard case .objects(let objects) = change else { return [] }
      return objects.insertedObjects(in: graph) + objects.deletedObjects(in: graph)
    }
  }
}

/// A policy for conflicts between changes here and in the store.
public enum MergePolicy: String, Sendable, CaseIterable {
  /// Saves nothing, and reports every conflict.
  case error
  /// Keeps the values in the store.
  case store
  /// Keeps the values that were changed here.
  case memory
}

/// A change that was made for another state of the graph, adapted to this one.
package struct MergedChange: Sendable {
  package var change = ChangeSet()
  package var graph: Graph
  package var renumbering = Renumbering()
  /// The conflicts that prevented the merge; nothing was changed in that case.
  package var conflicts: [ChangeConflict] = []
  /// The conflicts that the policy resolved.
  package var settled: [ChangeConflict] = []
  /// The changes of other sessions, if known because there are no changes here; if nil, the graphs are compared.
  package var others: ChangeSet?

  /// Creates a result without changes.
  package init(graph: Graph) { self.graph = graph }
}

/// A key or object that a change found in another state than its present one.
package struct ChangeConflict: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The same key of the same object was set to another value.
    case value
    case deleted
    /// The object to delete was changed.
    case changed
    /// A relationship would lead to an object that was deleted, or that belongs to another object now.
    case destination(ObjectID)
    /// The number belongs to another object.
    case taken
    /// The object was not changed here, but the edit of another object would affect it in the store.
    case beside(ObjectID)
    /// The object was not changed here, but in the store it leads to an object to delete. It would
    /// be deleted, or its link would become empty or dangling.
    case leads(ObjectID)
    /// The object was deleted together with another one that remains.
    case together(ObjectID)
  }

  package var object: ObjectID
  package var kind: Kind
  package var key: String?
  /// The value that the change found, the new value, and the present one.
  package var old = StoredCell.null
  package var new = StoredCell.null
  package var present = StoredCell.null
}

extension ChangeConflict {
  /// Returns the conflict with its values as literals.
  package func facts(in model: Model, _ zone: ZoneRules) -> ChangeProblem {
    .conflict(
      self, old: literal(old, model, zone), new: literal(new, model, zone),
      present: literal(present, model, zone))
  }

  private func literal(_ value: StoredCell, _ model: Model, _ zone: ZoneRules) -> String {
    guard let key, let property = model.property(named: key, of: object.entity) else { return "" }
    switch property {
    case .attribute(let attribute):
      let value = value.value(as: attribute.type)
      return value.isNull ? "NULL" : attribute.type.literal(value, in: zone)
    case .relationship(let relationship):
      let names = value.numbers.map { "\(relationship.destination)/\($0)" }
      if relationship.isToMany { return "{\(names.joined(separator: ", "))}" }
      return names.first ?? "NULL"
    }
  }
}

struct KeyOfObject: Hashable {
  var id: ObjectID
  var key: String

  init(_ id: ObjectID, _ key: String) {
    self.id = id
    self.key = key
  }
}
