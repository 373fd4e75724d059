package import KuraBytes
package import KuraModel
import KuraValues
import Synchronization

extension ChangeSet {
  /// Several changes, one behind the other, as one: what came and went is not in it.
  ///
  /// Linear in the changes; a change alone is itself.
  package static func net(of changes: [ChangeSet], in model: Model) -> ChangeSet {
    net(of: changes, in: model, CancelFlag())
  }

  /// The same; not the whole where somebody asks to stop.
  package static func net(of changes: [ChangeSet], in model: Model, _ cancel: CancelFlag)
    -> ChangeSet
  {
    if changes.count <= 1 { return changes.first ?? ChangeSet() }
    if let joined = joined(changes, cancel) { return joined }
    var net = NetChange(model, cancel)
    for change in changes { net.add(change) }
    return net.change
  }
}

extension ChangeSet {
  /// Insertions one behind the other; nil where there is something else. No two are of the same object,
  /// which would have had to go in between.
  private static func joined(_ changes: [ChangeSet], _ cancel: CancelFlag) -> ChangeSet? {
    guard changes.allSatisfy({ $0.updated.isEmpty && $0.deleted.isEmpty }) else { return nil }
    var batches = BatchBuilder()
    for change in changes where !cancel.isRequested {
      for batch in change.inserted { batches.add(batch) }
    }
    return ChangeSet(inserted: batches.batches)
  }
}

/// What several changes come to: worked out once, until there is another.
final class RememberedChange: Sendable {
  private let known = Mutex<ChangeSet?>(nil)

  /// What is known, or what `make` gives; it gives nil if it was stopped.
  func change(_ make: () -> ChangeSet?) -> ChangeSet? {
    if let known = known.withLock({ $0 }) { return known }
    let made = make()
    if let made { known.withLock { $0 = made } }
    return made
  }
}

extension ChangeSet {
  /// Whether something of several changes is left, as far as one object of the last of them tells:
  /// mostly it does, and the others need not be asked.
  static func leaveSomething(_ changes: [ChangeSet], in model: Model) -> Bool {
    guard changes.count > 1 else { return changes.first?.isEmpty == false }
    guard let last = changes.last?.anyObject else { return false }
    let root = model.root(of: last.entity)
    let parts = changes.map { change in
      change.part(last.number) { $0 == last.entity || model.root(of: $0) == root }
    }
    return !ChangeSet.net(of: parts, in: model).isEmpty
  }

  private var anyObject: (entity: String, number: Int64)? {
    let batches =
      updated.map { ($0.entity, $0.numbers) }
      + (inserted + deleted).map { ($0.entity, $0.numbers) }
    return batches.lazy.compactMap { entity, numbers in numbers.first.map { (entity, $0) } }.first
  }

  /// What it says of the objects of one number.
  private func part(_ number: Int64, of entities: (String) -> Bool) -> ChangeSet {
    ChangeSet(
      inserted: inserted.filter { entities($0.entity) }.compactMap { $0.part(number) },
      updated: updated.filter { entities($0.entity) }.compactMap { $0.part(number) },
      deleted: deleted.filter { entities($0.entity) }.compactMap { $0.part(number) })
  }
}

extension ObjectBatch {
  fileprivate func part(_ number: Int64) -> ObjectBatch? {
    numbers.firstIndex(of: number).map { i in
      ObjectBatch(
        entity: entity, numbers: [number],
        columns: columns.map { ChangeColumn(key: $0.key, values: [$0.values[i]]) })
    }
  }
}

extension UpdatedObjects {
  fileprivate func part(_ number: Int64) -> UpdatedObjects? {
    numbers.firstIndex(of: number).map { i in
      UpdatedObjects(
        entity: entity, numbers: [number],
        columns: columns.map {
          UpdatedColumn(key: $0.key, old: [$0.old[i]], new: [$0.new[i]])
        })
    }
  }
}

/// What became of each object in the course of several changes.
private struct NetChange {
  private let model: Model
  private let cancel: CancelFlag
  private var places: [ObjectID: Int] = [:]
  private var objects: [NetObject] = []
  private var roots: [String: String] = [:]

  init(_ model: Model, _ cancel: CancelFlag) { (self.model, self.cancel) = (model, cancel) }
}

/// An object before and after some changes.
private struct NetObject {
  typealias Values = [(key: String, value: ChangeValue)]
  var number: Int64
  /// Its entity and all its values, where it was there before and has been deleted since.
  var before: (entity: String, values: Values)?
  /// What was there before of keys that were changed.
  var oldValues: Values = []
  /// Whether it was there before.
  var wasThere: Bool
  /// Its entity and all its values if it was inserted, else the keys that were changed.
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
        var values = batch.values(i)
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
      objects[place].after = (batch.entity, batch.values(i))
    }
  }

  private mutating func add(updated batch: UpdatedObjects) {
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
}

extension NetChange {
  var change: ChangeSet {
    var inserted = BatchBuilder()
    var deleted = BatchBuilder()
    var updated = UpdateBuilder()
    for object in objects where !cancel.isRequested {
      switch (object.wasThere, object.before, object.after) {
      case (false, _, let after?): inserted.add(after.entity, object.number, after.values)
      case (false, _, nil): continue
      case (true, let before?, nil): deleted.add(before.entity, object.number, before.values)
      case (true, let before?, let after?):
        guard before.entity == after.entity else {
          deleted.add(before.entity, object.number, before.values)
          inserted.add(after.entity, object.number, after.values)
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
    to updates: inout UpdateBuilder
  ) {
    let keys = new.map(\.key) + old.map(\.key).filter { key in !new.contains { $0.key == key } }
    let changes = keys.compactMap { key -> (key: String, old: ChangeValue, new: ChangeValue)? in
      let (before, now) = (old[key], new[key])
      return before == now ? nil : (key, before, now)
    }
    if !changes.isEmpty { updates.add(entity, number, changes) }
  }
}

extension ObjectBatch {
  /// The keys and values of one object.
  package func values(_ i: Int) -> [(key: String, value: ChangeValue)] {
    columns.map { ($0.key, $0.values[i]) }
  }
}

extension [(key: String, value: ChangeValue)] {
  fileprivate subscript(key: String) -> ChangeValue {
    first { $0.key == key }?.value ?? .null
  }

  fileprivate mutating func set(_ key: String, to value: ChangeValue) {
    if let place = firstIndex(where: { $0.key == key }) {
      self[place].value = value
    } else {
      append((key, value))
    }
  }
}
