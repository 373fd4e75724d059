import KuraModel
import KuraValues

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
    guard case .relationship(let relationship)? = model.property(named: key.key, of: key.id.entity)
    else { return nil }
    return id(relationship.destination, number)
  }
}

extension Model {
  /// Returns whether deleting the destination empties a relationship.
  fileprivate func isEmptied(_ key: KeyOfObject) -> Bool {
    guard let inverse = inverse(of: key.key, in: key.id.entity) else { return true }
    return inverse.relationship.deleteRule == .nullify
  }
}
