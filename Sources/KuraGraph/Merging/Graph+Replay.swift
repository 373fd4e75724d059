import KuraDiagnostics
import KuraModel
import KuraValues

extension Graph {
  /// A change done edit by edit, with what its edits mean in this state of the graph.
  func replay(_ change: ChangeSet) throws(Diagnostic) -> ChangeSet {
    var editor = GraphEditor(self)
    try editor.delete(
      change.deleted.flatMap { batch in batch.numbers.map { id(batch.entity, $0) } })
    _ = try editor.insert(
      change.inserted.flatMap { batch in
        batch.numbers.map { NewObject(entity: batch.entity, number: $0) }
      })
    for batch in change.inserted {
      for column in batch.columns {
        for (i, number) in batch.numbers.enumerated() {
          try editor.replay(column.values[i], column.key, of: id(batch.entity, number))
        }
      }
    }
    for batch in change.updated {
      for column in batch.columns {
        for (i, number) in batch.numbers.enumerated() {
          try editor.replay(column.new[i], column.key, of: id(batch.entity, number))
        }
      }
    }
    return editor.change
  }

  /// What a change became, beside what it is: objects and keys that its edits reached here and did
  /// not reach where it was made.
  func conflicts(beside change: ChangeSet, in result: ChangeSet) -> [ChangeConflict] {
    let keys = change.updatedKeys(in: self)
    let objects = change.deletedObjects(in: self)
    let ownKeys = result.updatedKeys(in: self).subtracting(keys)
      .filter { !layout.derivations.map(\.attribute.name).contains($0.key) }
      .map { ChangeConflict(object: $0.id, kind: .beside, key: $0.key) }
    let ownObjects = result.deletedObjects(in: self).subtracting(objects)
      .map { ChangeConflict(object: $0, kind: .beside) }
    return (ownKeys + ownObjects).sorted {
      ($0.object.root, $0.object.number) < ($1.object.root, $1.object.number)
    }
  }
}

extension GraphEditor {
  /// Gives a key the value that a change set has of it.
  mutating func replay(
    _ value: ChangeValue, _ key: String, of id: ObjectID
  ) throws(Diagnostic) {
    let place = try place(of: id)
    guard let slot = slot(key, place) else {
      let entity = objectID(place).entity
      throw Diagnostic(
        ChangeFacts.unknownKey(key, entity: entity, known: model.keys(of: entity)))
    }
    guard let destination = graph.destination(slot) else { return store(value, key, place) }
    let root = graph.tables[destination].layout.root
    var rows: [UInt32] = []
    for number in value.numbers {
      let target = try self.place(of: ObjectID(entity: root, root: root, number: number))
      rows.append(UInt32(truncatingIfNeeded: target.row))
    }
    relate(slot, place, to: rows)
  }
}

extension ChangeSet {
  fileprivate func updatedKeys(in graph: Graph) -> Set<KeyOfObject> {
    Set(
      updated.flatMap { batch in
        batch.numbers.flatMap { number in
          batch.columns.map { KeyOfObject(graph.id(batch.entity, number), $0.key) }
        }
      })
  }

  fileprivate func deletedObjects(in graph: Graph) -> Set<ObjectID> {
    Set(deleted.flatMap { batch in batch.numbers.map { graph.id(batch.entity, $0) } })
  }
}
