import KuraModel
import KuraValues

extension ChangeSet {
  /// The change as a policy leaves it, and the conflicts that no policy settles.
  func settling(
    _ found: [ChangeConflict], by policy: MergePolicy, in model: Model
  ) -> (change: ChangeSet, conflicts: [ChangeConflict]) {
    if found.isEmpty { return (self, []) }
    guard policy != .error else { return (self, found) }
    var given = Dropped(model: model)
    var open: [ChangeConflict] = []
    for conflict in found {
      switch (conflict.kind, policy) {
      case (.value, .memory), (.changed, .memory): continue
      case (.value, _): given.keys.insert(KeyOfObject(conflict.object, conflict.key ?? ""))
      // What somebody else deleted stays deleted.
      case (.deleted, _), (.changed, _): given.objects.insert(conflict.object)
      case (.destination, _): given.keys.insert(KeyOfObject(conflict.object, conflict.key ?? ""))
      case (.taken, _), (.beside, _): open.append(conflict)
      }
    }
    return (dropping(given), open)
  }

  private func dropping(_ given: Dropped) -> ChangeSet {
    var updates = UpdateBuilder()
    for batch in updated {
      for (i, number) in batch.numbers.enumerated() {
        if given.has(batch.entity, number) { continue }
        let values = batch.columns.filter { !given.has(batch.entity, number, $0.key) }
          .map { ($0.key, $0.old[i], $0.new[i]) }
        if !values.isEmpty { updates.add(batch.entity, number, values) }
      }
    }
    var deletions = BatchBuilder()
    for batch in deleted {
      for (i, number) in batch.numbers.enumerated() where !given.has(batch.entity, number) {
        deletions.add(batch.entity, number, batch.values(i))
      }
    }
    var insertions = BatchBuilder()
    for batch in inserted {
      for (i, number) in batch.numbers.enumerated() {
        insertions.add(
          batch.entity, number,
          batch.values(i).filter { !given.has(batch.entity, number, $0.key) })
      }
    }
    return ChangeSet(
      inserted: insertions.batches, updated: updates.batches, deleted: deletions.batches)
  }
}

/// What a policy takes out of a change.
private struct Dropped {
  let model: Model
  var objects: Set<ObjectID> = []
  var keys: Set<KeyOfObject> = []

  init(model: Model) { self.model = model }

  func has(_ entity: String, _ number: Int64) -> Bool { objects.contains(id(entity, number)) }

  func has(_ entity: String, _ number: Int64, _ key: String) -> Bool {
    keys.contains(KeyOfObject(id(entity, number), key))
  }

  private func id(_ entity: String, _ number: Int64) -> ObjectID {
    ObjectID(entity: entity, root: model.root(of: entity), number: number)
  }
}

/// A key of an object.
struct KeyOfObject: Hashable {
  var id: ObjectID
  var key: String

  init(_ id: ObjectID, _ key: String) {
    self.id = id
    self.key = key
  }
}
