import KuraDiagnostics
import KuraModel
import KuraValues

/// A change done again, edit by edit, in another state of the graph, with what its edits mean there.
///
/// New objects and values come first and deletions last, so that a deletion reaches what belongs to
/// the object then, and not what it had where the others saved.
struct Replay {
  /// An edit of the change, which may reach more here than where it was made.
  enum Cause {
    case key(KeyOfObject)
    case deletion(ObjectID)
  }

  /// An object, or a key of one, that the change does not name and an edit reaches.
  struct Reached {
    var conflict: ChangeConflict
    var cause: Cause
  }

  private let graph: Graph
  private var editor: GraphEditor
  private let ownKeys: Set<KeyOfObject>
  private let ownDeletions: Set<ObjectID>
  private var reachedKeys: [KeyOfObject: Cause] = [:]
  private var reachedObjects: [ObjectID: ObjectID] = [:]

  /// Does a change of which every object and every link is there.
  ///
  /// `deletedThere` is what was deleted where the change was made, be it given up since or not.
  init(
    _ change: ChangeSet, deletedThere: Set<ObjectID> = [], in graph: Graph
  ) throws(Diagnostic) {
    self.graph = graph
    editor = GraphEditor(graph)
    editor.notesTouches = true
    let kept = change.withoutConsequences(in: graph)
    // What a deletion empties is its own doing only where nobody has put something else there.
    let emptied = change.mapping(
      updated: { key, old, new in
        graph.value(key.key, of: key.id) == old ? (old, new) : nil
      }, in: graph)
    ownKeys = kept.updatedKeys(in: graph).union(emptied.updatedKeys(in: graph))
    ownDeletions = Set(change.deletedObjects(in: graph))
    try insert(change)
    try update(kept)
    try delete(change, deletedThere.union(ownDeletions))
  }

  /// What became of the change.
  var result: ChangeSet { editor.change }

  private func isReplaced(_ id: ObjectID) -> Bool { editor.newRows[id] != nil }
}

extension Replay {
  /// What the edits reached beside the change, in the order of the objects.
  var reached: [Reached] {
    let (result, derivedKeys) = (result, graph.derivedKeys)
    let keys = result.updatedKeys(in: graph).subtracting(ownKeys)
      .filter { !derivedKeys.contains($0.key) }
      .map { key in
        let cause = reachedKeys[key] ?? .key(key)
        return Reached(
          conflict: ChangeConflict(object: key.id, kind: cause.kind, key: key.key),
          cause: cause)
      }
    let objects = Set(result.deletedObjects(in: graph)).subtracting(ownDeletions).map { id in
      let cause = reachedObjects[id] ?? id
      return Reached(
        conflict: ChangeConflict(object: id, kind: .leads(cause)), cause: .deletion(cause))
    }
    return (keys + objects).sorted { $0.conflict.isBefore($1.conflict) }
  }

  private mutating func note(_ cause: Cause) {
    for touch in editor.touches {
      guard let key = editor.key(of: touch), reachedKeys[key] == nil else { continue }
      reachedKeys[key] = cause
    }
    editor.touches = []
  }

  /// New objects, and those that give them their number, before anything leads to them.
  private mutating func insert(_ change: ChangeSet) throws(Diagnostic) {
    let new = Set(change.insertedObjects(in: graph))
    editor.remove(change.deletedObjects(in: graph).filter(new.contains))
    for batch in change.inserted {
      _ = try editor.insert(
        batch.numbers.map { NewObject(entity: batch.entity, number: $0) })
      for number in batch.numbers { note(.deletion(graph.id(batch.entity, number))) }
    }
    for batch in change.inserted {
      for column in batch.columns {
        for (i, number) in batch.numbers.enumerated() {
          try set(
            column.key, of: graph.id(batch.entity, number), from: .null, to: column.values[i])
        }
      }
    }
  }

  private mutating func update(_ change: ChangeSet) throws(Diagnostic) {
    for batch in change.updated {
      for column in batch.columns {
        for (i, number) in batch.numbers.enumerated() {
          try set(
            column.key, of: graph.id(batch.entity, number), from: column.old[i], to: column.new[i])
        }
      }
    }
  }

  private mutating func set(
    _ key: String, of id: ObjectID, from old: ChangeValue, to new: ChangeValue
  ) throws(Diagnostic) {
    try editor.replay(key, of: id, from: old, to: new)
    note(.key(KeyOfObject(id, key)))
  }

  private mutating func delete(
    _ change: ChangeSet, _ deletedThere: Set<ObjectID>
  ) throws(Diagnostic) {
    for batch in change.deleted {
      for (i, number) in batch.numbers.enumerated() {
        editor.leave(graph.id(batch.entity, number), batch.values(i), keeping: deletedThere)
      }
    }
    for id in change.deletedObjects(in: graph) where editor.find(id) != nil && !isReplaced(id) {
      try delete(id)
    }
  }

  private mutating func delete(_ id: ObjectID) throws(Diagnostic) {
    let before = editor.deleted.count
    try editor.delete([id])
    for place in editor.deleted[before...] {
      let reached = editor.objectID(place)
      if reachedObjects[reached] == nil { reachedObjects[reached] = id }
    }
    note(.deletion(id))
  }
}

extension Replay.Cause {
  /// What a key that an edit reaches is in conflict with.
  fileprivate var kind: ChangeConflict.Kind {
    switch self {
    case .key(let key): .beside(key.id)
    case .deletion(let id): .leads(id)
    }
  }
}

extension ChangeConflict {
  fileprivate func isBefore(_ other: ChangeConflict) -> Bool {
    (object.root, object.number, key ?? "") < (
      other.object.root, other.object.number, other.key ?? ""
    )
  }
}

extension GraphEditor {
  /// The key of an object whose links were touched; nil for an object that nobody has seen.
  fileprivate func key(of touch: GraphTouch) -> KeyOfObject? {
    let place = GraphPlace(table: touch.column.table, row: touch.row)
    guard newPlaces[place] == nil else { return nil }
    return KeyOfObject(objectID(place), graph.definition(touch.column).key)
  }

  /// Takes objects away and follows no rule: others are to have their numbers.
  fileprivate mutating func remove(_ ids: [ObjectID]) {
    for id in ids {
      guard let place = find(id), isDeleted.insert(place).inserted else { continue }
      deleted.append(place)
    }
  }

  /// Takes from an object that is to be deleted the links that it had where the change was made: what
  /// is not deleted with it was out of its reach there, and its rules have nothing to say of that.
  /// Where the other end keeps its links too, an edit of that has said so already.
  fileprivate mutating func leave(
    _ id: ObjectID, _ values: [(key: String, value: ChangeValue)], keeping deletions: Set<ObjectID>
  ) {
    guard let place = find(id), newPlaces[place] == nil else { return }
    for (key, value) in values {
      guard let (column, destination) = slot(key, place)?.linkColumn else { continue }
      let known = Set(value.numbers)
      let kept = LinkColumn(table: place.table, column: column)
      guard !keepsOtherEnd(kept) else { continue }
      setTargets(
        kept, place.row,
        to: targets(kept, place.row).filter { row in
          let target = objectID(GraphPlace(table: destination, row: Int(row)))
          return !known.contains(target.number) || deletions.contains(target)
        })
    }
  }

  private func keepsOtherEnd(_ column: LinkColumn) -> Bool {
    switch otherEnd(of: column) {
    case .none, .read: false
    case .itself, .kept: true
    }
  }

  /// Does to a key what a change did to it: of a to-many, what came and what went.
  fileprivate mutating func replay(
    _ key: String, of id: ObjectID, from old: ChangeValue, to new: ChangeValue
  ) throws(Diagnostic) {
    let place = try place(of: id)
    guard let slot = slot(key, place) else {
      let entity = objectID(place).entity
      throw Diagnostic(
        ChangeFacts.unknownKey(key, entity: entity, known: model.keys(of: entity)))
    }
    guard let destination = graph.destination(slot) else { return store(new, key, place) }
    let root = graph.tables[destination].layout.root
    var rows: [UInt32] = []
    for number in merged(key, of: id, slot, place, from: old, to: new) {
      let target = try self.place(of: ObjectID(entity: root, root: root, number: number))
      rows.append(UInt32(truncatingIfNeeded: target.row))
    }
    relate(slot, place, to: rows)
  }

  /// The numbers that a relationship is to have.
  private func merged(
    _ key: String, of id: ObjectID, _ slot: KeySlot, _ place: GraphPlace, from old: ChangeValue,
    to new: ChangeValue
  ) -> [Int64] {
    guard slot.isToMany, newPlaces[place] == nil else { return new.numbers }
    let start = graph.value(key, of: id).numbers
    let edit = ListEdit(
      from: old.numbers, to: new.numbers, isOrdered: model.isOrdered(key, of: id.entity))
    let wanted = edit.done(to: start) ?? new.numbers
    // What edits before this one have taken from here, or brought.
    let now = numbers(related(slot, place), slot)
    let (taken, own) = (Set(start).subtracting(now), Set(new.numbers))
    let kept = wanted.filter { !taken.contains($0) || own.contains($0) }
    let known = Set(start).union(kept)
    return kept + now.filter { !known.contains($0) }
  }

  private func numbers(_ rows: [UInt32], _ slot: KeySlot) -> [Int64] {
    guard let table = graph.destination(slot) else { return [] }
    return rows.map { objectID(GraphPlace(table: table, row: Int($0))).number }
  }
}

extension Model {
  /// Whether a to-many has an order of its own.
  func isOrdered(_ key: String, of entity: String) -> Bool {
    guard case .relationship(let relationship)? = property(named: key, of: entity) else {
      return false
    }
    return relationship.isOrdered
  }
}
