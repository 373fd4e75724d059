import KuraBytes
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
  /// Links to what was deleted that nobody saw who deleted it, and no rule takes away.
  private var left: [KeyOfObject: ObjectID] = [:]

  /// Does a change of which every object and every link is there.
  ///
  /// `deletedThere` is what was deleted where the change was made, be it given up since or not;
  /// `wasLeading` says whether a key led to an object there. Without it links that a deletion leaves
  /// as they are do not count.
  init(
    _ change: ChangeSet, deletedThere: Set<ObjectID> = [],
    wasLeading: ((KeyOfObject, ObjectID) -> Bool)? = nil, in graph: Graph,
    _ cancel: CancelFlag = CancelFlag()
  ) throws(Diagnostic) {
    self.graph = graph
    editor = GraphEditor(graph)
    editor.cancel = cancel
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
    if let wasLeading { noteLinksLeft(unless: wasLeading) }
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
    let leading = left.map { key, target in
      Reached(
        conflict: ChangeConflict(object: key.id, kind: .leads(target), key: key.key),
        cause: .deletion(target))
    }
    let objects = Set(result.deletedObjects(in: graph)).subtracting(ownDeletions).map { id in
      let cause = reachedObjects[id] ?? id
      return Reached(
        conflict: ChangeConflict(object: id, kind: .leads(cause)), cause: .deletion(cause))
    }
    return (keys + leading + objects).sorted { $0.conflict.isBefore($1.conflict) }
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
        batch.numbers.map { number in
          var object = NewObject(entity: batch.entity, number: number)
          object.takesDefaults = false
          return object
        })
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
    try editor.checkCancel()
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
    try editor.checkCancel()
    let before = editor.deleted.count
    try editor.delete([id])
    for place in editor.deleted[before...] {
      let reached = editor.objectID(place)
      if reachedObjects[reached] == nil { reachedObjects[reached] = id }
    }
    note(.deletion(id))
  }
}

// What `deny` and `none` leave as it is
extension Replay {
  /// Notes who leads to an object that is gone now, and led elsewhere where it was deleted: the rule
  /// of the relationship had nothing to say of that, and who deleted it could not know.
  private mutating func noteLinksLeft(unless wasLeading: (KeyOfObject, ObjectID) -> Bool) {
    for id in ownDeletions where graph.model.leavesLinks(to: id.entity) && !isReplaced(id) {
      guard let (table, row) = graph.find(id) else { continue }
      let place = GraphPlace(table: table, row: row)
      guard editor.isDeleted.contains(place) else { continue }
      for column in graph.linkColumns(to: table) {
        for source in editor.sources(column, of: row) {
          guard let key = key(column, Int(source)), !wasLeading(key, id) else { continue }
          left[key] = id
        }
      }
    }
  }

  /// The key that a link belongs to, of an object that is there and whose link no edit has made.
  private func key(_ column: LinkColumn, _ row: Int) -> KeyOfObject? {
    let place = GraphPlace(table: column.table, row: row)
    guard !editor.isDeleted.contains(place), graph.tables[place.table].isLive(row),
      let key = editor.key(of: GraphTouch(column: column, row: row))
    else { return nil }
    return ownKeys.contains(key) ? nil : key
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
