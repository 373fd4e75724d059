package import KuraModel
package import KuraValues

/// New numbers for objects with numbers that other sessions have used.
package struct Renumbering: Sendable {
  /// The new numbers, by root entity and old number.
  private var numbers: [String: [Int64: Int64]] = [:]
  /// The objects with their old and new identities, in order.
  package private(set) var objects: [(old: ObjectID, new: ObjectID)] = []

  package init() {}

  package var isEmpty: Bool { objects.isEmpty }

  mutating func add(_ old: ObjectID, _ number: Int64) {
    var new = old
    new.number = number
    numbers[old.root, default: [:]][old.number] = number
    objects.append((old, new))
  }

  /// The mapping from new numbers to old ones.
  var inverted: Renumbering {
    var result = Renumbering()
    for (old, new) in objects { result.add(new, old.number) }
    return result
  }

  /// Returns rules that are broken after the merge, with the original identities of the objects.
  ///
  /// The conflicting object is marked as another's, because its number could also belong to an object of the change.
  package func known(_ failures: [ValidationFailure]) -> [ValidationFailure] {
    let own = inverted
    return failures.map { failure in
      var result = failure
      result.object = own(failure.object)
      if let other = failure.other { result.wanted = "\(other) in the store" }
      return result
    }
  }

  /// Returns a conflict with the original numbers.
  func callAsFunction(_ conflict: ChangeConflict, in model: Model) -> ChangeConflict {
    if isEmpty { return conflict }
    var result = conflict
    result.object = self(conflict.object)
    switch conflict.kind {
    case .destination(let id): result.kind = .destination(self(id))
    case .beside(let id): result.kind = .beside(self(id))
    case .leads(let id): result.kind = .leads(self(id))
    case .value, .deleted, .changed, .taken, .together: break
    }
    if let key = conflict.key {
      result.new = renumbered([conflict.new], key, conflict.object.entity, model)[0]
    }
    return result
  }

  package func callAsFunction(_ id: ObjectID) -> ObjectID {
    var id = id
    id.number = number(id.number, root: id.root)
    return id
  }

  private func number(_ number: Int64, root: String) -> Int64 {
    numbers[root]?[number] ?? number
  }
}

extension Renumbering {
  /// Returns a change with the new numbers throughout.
  package func callAsFunction(_ change: ChangeSet, in model: Model) -> ChangeSet {
    if isEmpty { return change }
    return ChangeSet(
      inserted: change.inserted.map { renumbered($0, model) },
      updated: change.updated.map { renumbered($0, model) },
      deleted: change.deleted.map { renumbered($0, model) })
  }

  /// Returns the net of several changes with the new numbers, except for objects that existed before.
  func callAsFunction(net change: ChangeSet, in model: Model) -> ChangeSet {
    if isEmpty { return change }
    return ChangeSet(
      inserted: change.inserted.map { renumbered($0, model) },
      updated: change.updated.map { batch in
        var batch = batch
        for i in batch.columns.indices {
          let (key, new) = (batch.columns[i].key, batch.columns[i].new)
          batch.columns[i].new = renumbered(new, key, batch.entity, model)
        }
        return batch
      },
      deleted: change.deleted)
  }

  private func renumbered(_ batch: ObjectBatch, _ model: Model) -> ObjectBatch {
    ObjectBatch(
      entity: batch.entity, numbers: renumbered(batch.numbers, batch.entity, model),
      columns: batch.columns.map {
        ChangeColumn(
          key: $0.key, old: renumbered($0.old, $0.key, batch.entity, model),
          new: renumbered($0.new, $0.key, batch.entity, model))
      })
  }

  private func renumbered(_ numbers: [Int64], _ entity: String, _ model: Model) -> [Int64] {
    let root = model.root(of: entity)
    return numbers.map { number($0, root: root) }
  }

  private func renumbered(
    _ values: ChangeValues, _ key: String, _ entity: String, _ model: Model
  ) -> ChangeValues {
    guard let relationship = model.relationship(named: key, of: entity) else { return values }
    let root = model.root(of: relationship.destination)
    let renumbered = values.map { value -> StoredCell in
      switch value {
      case .object(let number): .object(self.number(number, root: root))
      case .objects(let numbers): .objects(numbers.map { self.number($0, root: root) })
      case .null, .integer, .double, .boolean, .text: value
      }
    }
    return ChangeValues(renumbered)
  }
}

/// The numbers assigned to objects here since the saves of other sessions were last read.
package struct AssignedNumbers: Sendable {
  /// The first number assigned since, by root.
  package var before: [String: Int64]
  /// The first unassigned number, by root.
  package var next: [String: Int64]
  /// Objects with such numbers that can be restored, or to which there are references.
  package var objects: [ObjectID]

  package init(
    before: [String: Int64], next: [String: Int64] = [:], objects: [ObjectID] = []
  ) {
    (self.before, self.next, self.objects) = (before, next, objects)
  }
}

extension AssignedNumbers {
  /// Returns new numbers for objects with numbers that the store has assigned too, so that no
  /// number ever denotes two objects.
  func renumbering(of change: ChangeSet, in store: Graph) -> Renumbering {
    let inserted = change.insertedObjects(in: store)
    // The object with this number in the store is another one, which is not deleted here.
    let gone = Set(store.present(change).deletedObjects(in: store))
    let taken = inserted.filter { isGivenTwice($0, store) || store.find($0) != nil }
      .filter { !gone.contains($0) }
    let others = Set(objects).subtracting(inserted).filter { isGivenTwice($0, store) }
      .sorted { ($0.root, $0.number) < ($1.root, $1.number) }
    var free = freeNumbers(inserted + objects, store)
    var result = Renumbering()
    for id in taken + others {
      guard let number = free[id.root] else { continue }
      result.add(id, number)
      free[id.root] = number + 1
    }
    return result
  }

  private func isGivenTwice(_ id: ObjectID, _ store: Graph) -> Bool {
    guard let place = store.place(of: id.entity) else { return false }
    return id.number >= before[id.root] ?? 1 && id.number < store.tables[place.table].nextNumber
  }

  /// Returns the first free number, by root.
  private func freeNumbers(_ objects: [ObjectID], _ store: Graph) -> [String: Int64] {
    var free = store.assignedNumbers.merging(next) { max($0, $1) }
    for id in objects where id.number < ObjectID.greatestNumber {
      free[id.root] = max(free[id.root] ?? 1, id.number + 1)
    }
    return free
  }
}

extension ChangeSet {
  func insertedObjects(in graph: Graph) -> [ObjectID] {
    inserted.flatMap { $0.objectIDs(in: graph.model) }
  }

  func deletedObjects(in graph: Graph) -> [ObjectID] {
    deleted.flatMap { $0.objectIDs(in: graph.model) }
  }

  func updatedKeys(in graph: Graph) -> Set<KeyOfObject> {
    Set(
      updated.flatMap { batch in
        batch.objectIDs(in: graph.model).flatMap { id in
          batch.columns.map { KeyOfObject(id, $0.key) }
        }
      })
  }

  /// Returns the change with its new values mapped, and with only some of its deletions.
  ///
  /// A nil result removes a key. An object remains in the change while it is inserted or has keys.
  func mapping(
    deletes: (ObjectID) -> Bool = { _ in true },
    _ transform: (KeyOfObject, KeyChange) -> KeyChange? = { $1 }, in graph: Graph
  ) -> ChangeSet {
    func mapped(_ id: ObjectID, _ changes: [KeyChange]) -> [KeyChange] {
      changes.compactMap { transform(KeyOfObject(id, $0.key), $0) }.filter { $0.old != $0.new }
    }
    return ChangeSet(
      inserted: inserted.rebuilt(in: graph, mapped),
      updated: updated.rebuilt(in: graph) { id, changes in
        let changes = mapped(id, changes)
        return changes.isEmpty ? nil : changes
      },
      deleted: deleted.rebuilt(in: graph) { id, changes in deletes(id) ? changes : nil })
  }

  /// Returns the change without the effects of its deletions: to-one relationships that led to a
  /// deleted object, under `nullify` or without inverse, and are now empty.
  func withoutConsequences(in graph: Graph) -> ChangeSet {
    if deleted.isEmpty { return self }
    let gone = Set(deletedObjects(in: graph))
    return mapping(
      { key, change in
        guard change.new == .null, case .object(let number)? = change.old,
          let target = graph.target(number, of: key), gone.contains(target),
          graph.model.isEmptied(key)
        else { return change }
        return nil
      }, in: graph)
  }
}

extension [ObjectBatch] {
  /// Returns the objects with other changes; without objects for which `changes` returns nil.
  fileprivate func rebuilt(
    in graph: Graph, _ changes: (ObjectID, [KeyChange]) -> [KeyChange]?
  ) -> [ObjectBatch] {
    var builder = BatchBuilder()
    for batch in self {
      for (i, id) in batch.objectIDs(in: graph.model).enumerated() {
        guard let changes = changes(id, batch.changes(i)) else { continue }
        builder.add(batch.entity, id.number, changes)
      }
    }
    return builder.batches
  }
}

extension Graph {
  /// Returns the object for a number in a relationship.
  func target(_ number: Int64, of key: KeyOfObject) -> ObjectID? {
    model.relationship(named: key.key, of: key.id.entity).map { id($0.destination, number) }
  }
}

extension Model {
  /// Returns whether deleting the destination empties a relationship.
  fileprivate func isEmptied(_ key: KeyOfObject) -> Bool {
    guard let inverse = inverse(of: key.key, in: key.id.entity) else { return true }
    return inverse.relationship.deleteRule == .nullify
  }
}
