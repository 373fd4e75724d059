package import KuraBytes
package import KuraModel
import KuraValues
import Synchronization

extension ChangeSet {
  /// Returns successive changes as one. Objects that were inserted and deleted again are left out.
  ///
  /// Linear in the changes; a single change is returned unchanged. Incomplete if `cancel` is requested.
  package static func net(
    of changes: [ChangeSet], in model: Model, _ cancel: CancelFlag = CancelFlag()
  ) -> ChangeSet {
    if changes.count <= 1 { return changes.first ?? ChangeSet() }
    if let joined = joined(changes, cancel) { return joined }
    var net = NetChange(model, cancel)
    for change in changes { net.add(change) }
    return net.change
  }

  /// Returns successive insertions as one; nil if there is another change. No object occurs twice,
  /// because it would have been deleted in between.
  private static func joined(_ changes: [ChangeSet], _ cancel: CancelFlag) -> ChangeSet? {
    guard changes.allSatisfy({ $0.updated.isEmpty && $0.deleted.isEmpty }) else { return nil }
    var batches = BatchBuilder()
    for change in changes where !cancel.isRequested {
      for batch in change.inserted { batches.add(batch) }
    }
    return ChangeSet(inserted: batches.batches)
  }
}

/// The net change of several changes, cached until there is another change.
final class CachedNetChange: Sendable {
  private let known = Mutex<ChangeSet?>(nil)

  /// Returns the cached change, or the result of `make`, which is nil if it was cancelled.
  func change(_ make: () -> ChangeSet?) -> ChangeSet? {
    if let known = known.withLock({ $0 }) { return known }
    let computed = make()
    if let computed { known.withLock { $0 = computed } }
    return computed
  }
}

extension ChangeSet {
  /// Returns true if one object of the last change proves that the net change is not empty. This
  /// usually suffices, so that the other objects need no check.
  static func leaveSomething(_ changes: [ChangeSet], in model: Model) -> Bool {
    guard changes.count > 1 else { return changes.first?.isEmpty == false }
    guard let last = changes.last?.anyObject else { return false }
    let root = model.root(of: last.entity)
    let object = ObjectID(entity: last.entity, root: root, number: last.number)
    let parts = changes.map { $0.alone(object, in: model) }
    return !ChangeSet.net(of: parts, in: model).isEmpty
  }

  private var anyObject: (entity: String, number: Int64)? {
    (updated + inserted + deleted).lazy
      .compactMap { batch in batch.numbers.first.map { (batch.entity, $0) } }.first
  }
}

/// The net effect of several changes on each object.
private struct NetChange {
  private let model: Model
  private let cancel: CancelFlag
  private var places: [ObjectID: Int] = [:]
  private var objects: [NetObject] = []
  private var roots: [String: String] = [:]

  init(_ model: Model, _ cancel: CancelFlag) { (self.model, self.cancel) = (model, cancel) }
}

/// An object before and after several changes.
private struct NetObject {
  typealias Values = StoredForm.Values
  var number: Int64
  /// Its entity and all its values, if it existed before and has been deleted.
  var before: (entity: String, values: Values)?
  /// The previous values of changed keys.
  var oldValues: Values = []
  /// Whether it existed before.
  var wasThere: Bool
  /// Its entity and all its values if it was inserted; otherwise the changed keys.
  var after: (entity: String, values: Values)?
}

extension NetChange {
  mutating func add(_ change: ChangeSet) {
    for batch in change.deleted { add(deleted: batch) }
    for batch in change.inserted { add(inserted: batch) }
    for batch in change.updated { add(updated: batch) }
  }

  private mutating func place(_ entity: String, _ number: Int64) -> (place: Int, isNew: Bool) {
    let root = roots[entity] ?? model.root(of: entity)
    roots[entity] = root
    let id = ObjectID(entity: entity, root: root, number: number)
    if let place = places[id] { return (place, false) }
    places[id] = objects.count
    objects.append(NetObject(number: number, wasThere: true))
    return (objects.count - 1, true)
  }

  private mutating func add(deleted batch: ObjectBatch) {
    for (i, number) in batch.numbers.enumerated() where !cancel.isRequested {
      let (place, _) = place(batch.entity, number)
      if objects[place].wasThere, objects[place].before == nil {
        var values = batch.oldValues(i)
        for old in objects[place].oldValues { values.set(old.key, to: old.value) }
        objects[place].before = (batch.entity, values)
      }
      objects[place].after = nil
    }
  }

  private mutating func add(inserted batch: ObjectBatch) {
    for (i, number) in batch.numbers.enumerated() where !cancel.isRequested {
      let (place, isNew) = place(batch.entity, number)
      if isNew { objects[place].wasThere = false }
      objects[place].after = (batch.entity, batch.newValues(i))
    }
  }

  private mutating func add(updated batch: ObjectBatch) {
    for (i, number) in batch.numbers.enumerated() where !cancel.isRequested {
      let (place, isNew) = place(batch.entity, number)
      if isNew { objects[place].after = (batch.entity, []) }
      for column in batch.columns {
        if objects[place].wasThere, objects[place].before == nil,
          !objects[place].oldValues.contains(where: { $0.key == column.key })
        {
          objects[place].oldValues.append((column.key, column.old[i]))
        }
        objects[place].after?.values.set(column.key, to: column.new[i])
      }
    }
  }

  var change: ChangeSet {
    var (inserted, updated, deleted) = (BatchBuilder(), BatchBuilder(), BatchBuilder())
    for object in objects where !cancel.isRequested {
      switch (object.wasThere, object.before, object.after) {
      case (false, _, let after?): inserted.add(after.entity, object.number, inserted: after.values)
      case (false, _, nil): continue
      case (true, let before?, nil):
        deleted.add(before.entity, object.number, deleted: before.values)
      case (true, let before?, let after?):
        guard before.entity == after.entity else {
          deleted.add(before.entity, object.number, deleted: before.values)
          inserted.add(after.entity, object.number, inserted: after.values)
          continue
        }
        add(object.number, after.entity, before.values, after.values, to: &updated)
      case (true, nil, let after?):
        add(object.number, after.entity, object.oldValues, after.values, to: &updated)
      case (true, nil, nil): continue
      }
    }
    return ChangeSet(
      inserted: inserted.batches, updated: updated.batches, deleted: deleted.batches)
  }

  private func add(
    _ number: Int64, _ entity: String, _ old: NetObject.Values, _ new: NetObject.Values,
    to updates: inout BatchBuilder
  ) {
    let keys = new.map(\.key) + old.map(\.key).filter { key in !new.contains { $0.key == key } }
    let changes = keys.map { KeyChange(key: $0, old: old[$0], new: new[$0]) }
      .filter { $0.old != $0.new }
    if !changes.isEmpty { updates.add(entity, number, changes) }
  }
}

extension [(key: String, value: StoredCell)] {
  fileprivate subscript(key: String) -> StoredCell {
    first { $0.key == key }?.value ?? .null
  }

  fileprivate mutating func set(_ key: String, to value: StoredCell) {
    if let place = firstIndex(where: { $0.key == key }) {
      self[place].value = value
    } else {
      append((key, value))
    }
  }
}
