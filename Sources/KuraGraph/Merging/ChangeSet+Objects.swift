package import KuraModel
package import KuraValues

extension ChangeSet {
  func insertedObjects(in graph: Graph) -> [ObjectID] {
    inserted.flatMap { batch in batch.numbers.map { graph.id(batch.entity, $0) } }
  }

  func deletedObjects(in graph: Graph) -> [ObjectID] {
    deleted.flatMap { batch in batch.numbers.map { graph.id(batch.entity, $0) } }
  }

  func updatedKeys(in graph: Graph) -> Set<KeyOfObject> {
    Set(
      updated.flatMap { batch in
        batch.numbers.flatMap { number in
          batch.columns.map { KeyOfObject(graph.id(batch.entity, number), $0.key) }
        }
      })
  }

  /// Returns the change with its values mapped, and with only some of its deletions.
  ///
  /// A nil result removes a key. An object remains in the change while it is inserted or has keys.
  func mapping(
    deletes: (ObjectID) -> Bool = { _ in true },
    inserted insertion: (KeyOfObject, ChangeValue) -> ChangeValue? = { $1 },
    updated update: (KeyOfObject, ChangeValue, ChangeValue) -> (
      old: ChangeValue, new: ChangeValue
    )? = { ($1, $2) }, in graph: Graph
  ) -> ChangeSet {
    var (insertions, updates) = (BatchBuilder(), UpdateBuilder())
    var deletions = BatchBuilder()
    for batch in inserted {
      for (i, number) in batch.numbers.enumerated() {
        let id = graph.id(batch.entity, number)
        let values = batch.values(i).compactMap { key, value in
          insertion(KeyOfObject(id, key), value).map { (key: key, value: $0) }
        }
        insertions.add(batch.entity, number, values)
      }
    }
    for batch in updated {
      for (i, number) in batch.numbers.enumerated() {
        let id = graph.id(batch.entity, number)
        let values = batch.columns.compactMap { column in
          update(KeyOfObject(id, column.key), column.old[i], column.new[i])
            .map { (key: column.key, old: $0.old, new: $0.new) }
        }.filter { $0.old != $0.new }
        if !values.isEmpty { updates.add(batch.entity, number, values) }
      }
    }
    for batch in deleted {
      for (i, number) in batch.numbers.enumerated()
      where deletes(graph.id(batch.entity, number)) {
        deletions.add(batch.entity, number, batch.values(i))
      }
    }
    return ChangeSet(
      inserted: insertions.batches, updated: updates.batches, deleted: deletions.batches)
  }

  /// Returns the change without the effects of its deletions: to-one relationships that led to a
  /// deleted object, under `nullify` or without inverse, and are now empty.
  func withoutConsequences(in graph: Graph) -> ChangeSet {
    if deleted.isEmpty { return self }
    let gone = Set(deletedObjects(in: graph))
    return mapping(
      updated: { key, old, new in
        guard new == .null, case .object(let number) = old,
          let target = graph.target(number, of: key), gone.contains(target),
          graph.model.isEmptied(key)
        else { return (old, new) }
        return nil
      }, in: graph)
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

extension ChangeSet {
  /// Returns the part of the change that concerns one object.
  package func alone(_ object: ObjectID, in model: Model) -> ChangeSet {
    func batches(_ batches: [ObjectBatch]) -> [ObjectBatch] {
      batches.compactMap { batch in
        guard model.root(of: batch.entity) == object.root,
          let place = batch.numbers.firstIndex(of: object.number)
        else { return nil }
        return ObjectBatch(
          entity: batch.entity, numbers: [object.number],
          columns: batch.columns.map { ChangeColumn(key: $0.key, values: [$0.values[place]]) })
      }
    }
    let updates = updated.compactMap { batch -> UpdatedObjects? in
      guard model.root(of: batch.entity) == object.root,
        let place = batch.numbers.firstIndex(of: object.number)
      else { return nil }
      return UpdatedObjects(
        entity: batch.entity, numbers: [object.number],
        columns: batch.columns.filter { $0.old[place] != $0.new[place] }.map {
          UpdatedColumn(key: $0.key, old: [$0.old[place]], new: [$0.new[place]])
        })
    }
    return ChangeSet(
      inserted: batches(inserted), updated: updates, deleted: batches(deleted))
  }
}
