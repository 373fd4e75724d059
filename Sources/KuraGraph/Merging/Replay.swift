import KuraBytes
import KuraDiagnostics
import KuraValues

/// Replays a change edit by edit in another state of the graph, with the effects of its edits there.
///
/// Insertions and updates precede deletions, so that a deletion affects the related objects of that
/// time, not the related objects of the other session's save.
struct Replay {
  /// An edit of the change, which can affect more here than where it was made.
  enum Cause {
    case key(KeyOfObject)
    case deletion(ObjectID)
  }

  /// An object or key that the change does not contain, but an edit affects.
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
  /// Links to deleted objects that the author of the deletion did not know, and that no rule removes.
  private var left: [KeyOfObject: ObjectID] = [:]

  /// Replays a change of existing objects and links.
  init(
    _ change: ChangeSet, deletedThere: Set<ObjectID> = [],
    wasLeading: ((KeyOfObject, ObjectID) -> Bool)? = nil, in graph: Graph,
    _ cancel: CancelFlag = CancelFlag()
  ) throws(Diagnostic) {
    self.graph = graph
    editor = GraphEditor(graph)
    editor.cancel = cancel
    editor.notesTouches = true
    let direct = change.withoutConsequences(in: graph)
    // Emptied relationships are effects of a deletion only if they still have their old values.
    let emptied = change.mapping(
      { key, change in graph.value(key.key, of: key.id) == change.old ? change : nil }, in: graph)
    ownKeys = direct.updatedKeys(in: graph).union(emptied.updatedKeys(in: graph))
    ownDeletions = Set(change.deletedObjects(in: graph))
    try insert(change)
    try set(direct.updated)
    try delete(change, deletedThere.union(ownDeletions))
    if let wasLeading { noteLinksLeft(unless: wasLeading) }
  }

  var result: ChangeSet { editor.change }

  private func isReplaced(_ id: ObjectID) -> Bool { editor.newRows[id] != nil }
}

extension Replay {
  /// The effects beyond the change, in the order of the objects.
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

  /// Removes deleted objects with the number of a new one, and inserts the new objects before any link to them.
  private mutating func insert(_ change: ChangeSet) throws(Diagnostic) {
    let new = Set(change.insertedObjects(in: graph))
    let replaced = Set(change.deletedObjects(in: graph)).intersection(new)
    editor.remove(change.deletedObjects(in: graph).filter(replaced.contains))
    for batch in change.inserted {
      // An object that replaces a deleted one is the cause of the changes of links to it.
      let isAlone = batch.numbers.map { replaced.contains(graph.id(batch.entity, $0)) }
      var start = 0
      while start < batch.numbers.count {
        let rest = isAlone[start...]
        let end = isAlone[start] ? start + 1 : rest.firstIndex(of: true) ?? rest.endIndex
        _ = try editor.insert(
          batch.numbers[start..<end].map { number in
            var object = NewObject(entity: batch.entity, number: number)
            object.takesDefaults = false
            return object
          })
        note(.deletion(graph.id(batch.entity, batch.numbers[start])))
        start = end
      }
    }
    try set(change.inserted)
  }

  private mutating func set(_ batches: [ObjectBatch]) throws(Diagnostic) {
    for batch in batches {
      for column in batch.columns {
        for (i, number) in batch.numbers.enumerated() {
          try editor.checkCancel()
          let id = graph.id(batch.entity, number)
          let old = column.old.isEmpty ? .null : column.old[i]
          try editor.replay(column.key, of: id, from: old, to: column.new[i])
          note(.key(KeyOfObject(id, column.key)))
        }
      }
    }
  }

  private mutating func delete(
    _ change: ChangeSet, _ deletedThere: Set<ObjectID>
  ) throws(Diagnostic) {
    for batch in change.deleted {
      for (i, number) in batch.numbers.enumerated() {
        editor.leave(graph.id(batch.entity, number), batch.oldValues(i), keeping: deletedThere)
      }
    }
    for id in change.deletedObjects(in: graph) where editor.find(id) != nil && !isReplaced(id) {
      try delete(id)
    }
  }

  private mutating func delete(_ id: ObjectID) throws(Diagnostic) {
    try editor.checkCancel()
    editor.removed = []
    try editor.delete([id])
    for reached in editor.removed.map(editor.objectID) where reachedObjects[reached] == nil {
      reachedObjects[reached] = id
    }
    note(.deletion(id))
  }
}

// Links that remain under `deny` and `none`
extension Replay {
  /// Records links to deleted objects that had another destination in the graph of the deletion.
  /// The delete rule did not apply to them there, and the author could not know them.
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

  /// Returns the key of a link, if its object exists and no edit has set the link.
  private func key(_ column: ColumnPlace, _ row: Int) -> KeyOfObject? {
    let place = GraphPlace(table: column.table, row: row)
    guard !editor.isDeleted.contains(place), graph.tables[place.table].isLive(row),
      let key = editor.key(of: GraphTouch(column: column, row: row))
    else { return nil }
    return ownKeys.contains(key) ? nil : key
  }
}

extension Replay.Cause {
  /// The kind of conflict for a key that an edit affects.
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
