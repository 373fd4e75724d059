import KuraModel
import KuraValues

/// Edits that others have saved as well, or saved another one in their place: to take one back would
/// take back what they have.
struct SharedEdits {
  private var keys: Set<KeyOfObject> = []
  private var deletions: Set<ObjectID> = []

  /// `change` is what was unsaved here, in the numbers of the store that has theirs.
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

  /// The first object in a step of which others have a part.
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
  /// Whether others have changed a key too; of a to-many, whether they took or brought the same.
  fileprivate func hasShared(
    _ key: KeyOfObject, _ old: ChangeValue, _ new: ChangeValue
  ) -> Bool {
    let present = value(key.key, of: key.id)
    guard find(key.id) != nil, present != old else { return false }
    guard case .relationship(let relationship)? = model.property(named: key.key, of: key.id.entity),
      relationship.isToMany
    else { return true }
    let (before, here, there) = (Set(old.numbers), Set(new.numbers), Set(present.numbers))
    let brought = here.subtracting(before).intersection(there)
    let taken = before.subtracting(here).subtracting(there)
    return !brought.isEmpty || !taken.isEmpty
  }
}
