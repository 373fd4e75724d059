import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension Graph {
  /// Adapts changes that were made for another state of the graph, and adds derived values of this one.
  ///
  /// Throws if they contain objects that differ from what the changes found.
  func adapted(_ changes: [GraphChange], name: String) throws(Diagnostic) -> [GraphChange] {
    var graph = self
    var result: [GraphChange] = []
    for change in changes {
      guard case .objects(let whole) = change else {
        result.append(change)
        continue
      }
      let objects = whole.without(derivedKeys)
      if let conflict = graph.conflicts(with: objects).first {
        throw Diagnostic(ChangeProblem.notUndoable(name: name, conflict.missing ?? conflict.object))
      }
      let done = try graph.replayed(objects, name)
      try graph.admit(done)
      let context = EvaluationContext(nilArithmeticIsNil: true)
      let derived = try graph.derivation(after: done, in: context)
      try graph.admit(derived)
      result.append(.objects(ChangeSet.net(of: [done, derived], in: model)))
    }
    return result
  }

  /// Returns a step replayed in this graph; throws if it affects changes of other sessions.
  private func replayed(_ change: ChangeSet, _ name: String) throws(Diagnostic) -> ChangeSet {
    let replay = try Replay(change, in: self)
    guard let reached = replay.reached.first else { return replay.result }
    throw Diagnostic(ChangeProblem.notUndoable(name: name, reached.conflict.object))
  }
}

extension ChangeConflict {
  /// The missing destination, if that is the conflict.
  fileprivate var missing: ObjectID? { if case .destination(let id) = kind { id } else { nil } }
}

/// Edits that other sessions have also saved, or have replaced. Undoing them would revert changes of other sessions.
struct SharedEdits {
  private var keys: Set<KeyOfObject> = []
  private var deletions: Set<ObjectID> = []

  /// Creates the shared edits of the unsaved change, in the numbers of the store with the changes of other sessions.
  init(_ change: ChangeSet, _ store: Graph) {
    for batch in change.updated {
      for column in batch.columns where !store.derivedKeys.contains(column.key) {
        for (i, number) in batch.numbers.enumerated() {
          let key = KeyOfObject(store.id(batch.entity, number), column.key)
          if store.hasShared(key, column.old[i], column.new[i]) { keys.insert(key) }
        }
      }
    }
    deletions = Set(change.deletedObjects(in: store).filter { store.find($0) == nil })
  }

  var isEmpty: Bool { keys.isEmpty && deletions.isEmpty }

  /// Returns the first object in a step that other sessions have edited too.
  func object(in changes: [GraphChange], _ graph: Graph) -> ObjectID? {
    for case .objects(let change) in changes {
      if let id = change.deletedObjects(in: graph).first(where: deletions.contains) { return id }
      for batch in change.updated {
        for number in batch.numbers {
          let id = graph.id(batch.entity, number)
          if batch.columns.contains(where: { keys.contains(KeyOfObject(id, $0.key)) }) { return id }
        }
      }
    }
    return nil
  }
}

extension Graph {
  /// Returns whether other sessions have changed a key too; for a to-many relationship, whether
  /// they added or removed the same objects.
  fileprivate func hasShared(
    _ key: KeyOfObject, _ old: StoredCell, _ new: StoredCell
  ) -> Bool {
    let present = value(key.key, of: key.id)
    guard find(key.id) != nil, present != old else { return false }
    guard let relationship = model.relationship(named: key.key, of: key.id.entity),
      relationship.isToMany
    else { return true }
    let (before, here, there) = (Set(old.numbers), Set(new.numbers), Set(present.numbers))
    let brought = here.subtracting(before).intersection(there)
    let taken = before.subtracting(here).subtracting(there)
    return !brought.isEmpty || !taken.isEmpty
  }
}

/// The values of objects in the store when a merge deleted them. Restoring the objects must not
/// revert changes of other sessions.
struct DeletedValues {
  private let model: Model
  private var values: [ObjectID: StoredForm.Values] = [:]

  init(_ change: ChangeSet, _ model: Model) {
    self.model = model
    for batch in change.deleted {
      for (i, id) in batch.objectIDs(in: model).enumerated() { values[id] = batch.oldValues(i) }
    }
  }

  /// Returns a change with these values for its deletions.
  func within(_ change: ChangeSet) -> ChangeSet {
    if values.isEmpty || change.deleted.isEmpty { return change }
    var deleted = BatchBuilder()
    for batch in change.deleted {
      for (i, id) in batch.objectIDs(in: model).enumerated() {
        deleted.add(batch.entity, id.number, deleted: values[id] ?? batch.oldValues(i))
      }
    }
    var change = change
    change.deleted = deleted.batches
    return change
  }
}
