package import KuraModel
package import KuraValues

/// A change of the graph as a value. Objects are identified by objectID, never by row.
///
/// It contains the previous values, so it can be inverted, and a merge needs no common ancestor. It
/// contains each relationship on the side that a document stores; inverses follow.
package struct ChangeSet: Sendable, Equatable {
  /// The inserted objects.
  package var inserted: [ObjectBatch]
  /// The objects with changed values.
  package var updated: [ObjectBatch]
  /// The deleted objects, with their values.
  package var deleted: [ObjectBatch]

  package init(
    inserted: [ObjectBatch] = [], updated: [ObjectBatch] = [], deleted: [ObjectBatch] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// Objects of one entity with the same changed keys, as columns.
package struct ObjectBatch: Sendable, Equatable {
  package var entity: String
  package var numbers: [Int64]
  /// The changed keys. Inserted and deleted objects have every attribute, and the relationships
  /// that are not empty; a missing key is empty.
  package var columns: [ChangeColumn]

  package init(entity: String, numbers: [Int64] = [], columns: [ChangeColumn] = []) {
    self.entity = entity
    self.numbers = numbers
    self.columns = columns
  }
}

/// The old and new values of one key, one of each per object.
package struct ChangeColumn: Sendable, Equatable {
  package var key: String
  /// The values before the change; none for inserted objects.
  package var old: ChangeValues
  /// The values after the change; none for deleted objects.
  package var new: ChangeValues

  package init(key: String, old: ChangeValues = [], new: ChangeValues = []) {
    self.key = key
    self.old = old
    self.new = new
  }
}

/// The old and new value of one key of one object.
package struct KeyChange {
  package var key: String
  /// The value before the change; nil for an inserted object.
  package var old: StoredCell?
  /// The value after the change; nil for a deleted object.
  package var new: StoredCell?

  /// Whether the key was empty before and after.
  package var isOfNothing: Bool { (old ?? .null) == .null && (new ?? .null) == .null }
}

extension ChangeSet {
  /// The batches of all objects.
  package var batches: [ObjectBatch] { inserted + updated + deleted }

  /// The change that reverts this one.
  package var inverted: ChangeSet {
    let inverse = compactMap { batch in
      var batch = batch
      batch.columns = batch.columns.map { ChangeColumn(key: $0.key, old: $0.new, new: $0.old) }
      return batch
    }
    return ChangeSet(
      inserted: inverse.deleted, updated: inverse.updated, deleted: inverse.inserted)
  }

  /// The numbers of inserted, updated and deleted objects.
  package var counts: (inserted: Int, updated: Int, deleted: Int) {
    (inserted.objectCount, updated.objectCount, deleted.objectCount)
  }

  var objectCount: Int { inserted.objectCount + updated.objectCount + deleted.objectCount }

  /// Returns the change with other batches, without those for which `transform` returns nil, and
  /// without updates of no key.
  func compactMap(_ transform: (ObjectBatch) -> ObjectBatch?) -> ChangeSet {
    ChangeSet(
      inserted: inserted.compactMap(transform),
      updated: updated.compactMap(transform).filter { !$0.columns.isEmpty },
      deleted: deleted.compactMap(transform))
  }

  /// Returns the part of the change that concerns one object.
  package func alone(_ object: ObjectID, in model: Model) -> ChangeSet {
    compactMap { batch in
      guard model.root(of: batch.entity) == object.root else { return nil }
      return batch.numbers.firstIndex(of: object.number).map { batch.part($0) }
    }
  }
}

extension [ObjectBatch] {
  fileprivate var objectCount: Int { reduce(0) { $0 + $1.numbers.count } }
}

extension ObjectBatch {
  /// Returns the identities of the objects.
  package func objectIDs(in model: Model) -> [ObjectID] {
    let root = model.root(of: entity)
    return numbers.map { ObjectID(entity: entity, root: root, number: $0) }
  }

  /// Returns the changed keys of the object at an index.
  package func changes(_ i: Int) -> [KeyChange] {
    columns.map { column in
      KeyChange(
        key: column.key, old: column.old.isEmpty ? nil : column.old[i],
        new: column.new.isEmpty ? nil : column.new[i])
    }
  }

  /// Returns the old values of the object at an index.
  func oldValues(_ i: Int) -> StoredForm.Values { columns.map { ($0.key, $0.old[i]) } }

  /// Returns the new values of the object at an index.
  func newValues(_ i: Int) -> StoredForm.Values { columns.map { ($0.key, $0.new[i]) } }

  /// Returns whether another batch has the same entity and keys.
  func hasKeys(of other: ObjectBatch) -> Bool {
    entity == other.entity && columns.elementsEqual(other.columns) { $0.key == $1.key }
  }

  /// Returns the object at an index as a batch, without unchanged keys.
  fileprivate func part(_ i: Int) -> ObjectBatch {
    let columns = changes(i).filter { $0.old != $0.new }.map { ChangeColumn($0) }
    return ObjectBatch(entity: entity, numbers: [numbers[i]], columns: columns)
  }
}

extension ChangeColumn {
  fileprivate init(_ change: KeyChange) {
    key = change.key
    old = change.old.map { ChangeValues($0) } ?? []
    new = change.new.map { ChangeValues($0) } ?? []
  }

  fileprivate mutating func append(_ change: KeyChange) {
    if let value = change.old { old.append(value) }
    if let value = change.new { new.append(value) }
  }
}

/// Groups successive objects of one entity with the same keys into batches.
struct BatchBuilder {
  private(set) var batches: [ObjectBatch] = []

  mutating func add(_ entity: String, _ number: Int64, _ changes: [KeyChange]) {
    let last = batches.count - 1
    guard last >= 0, batches[last].entity == entity,
      batches[last].columns.elementsEqual(changes, by: { $0.key == $1.key })
    else {
      let columns = changes.map { ChangeColumn($0) }
      batches.append(ObjectBatch(entity: entity, numbers: [number], columns: columns))
      return
    }
    batches[last].numbers.append(number)
    for i in changes.indices { batches[last].columns[i].append(changes[i]) }
  }

  mutating func add(_ batch: ObjectBatch) {
    let last = batches.count - 1
    guard last >= 0, batches[last].hasKeys(of: batch) else {
      if !batch.numbers.isEmpty { batches.append(batch) }
      return
    }
    batches[last].numbers += batch.numbers
    for i in batch.columns.indices {
      batches[last].columns[i].old.append(contentsOf: batch.columns[i].old)
      batches[last].columns[i].new.append(contentsOf: batch.columns[i].new)
    }
  }

  mutating func add(_ entity: String, _ number: Int64, inserted values: StoredForm.Values) {
    add(entity, number, values.map { KeyChange(key: $0.key, new: $0.value) })
  }

  mutating func add(_ entity: String, _ number: Int64, deleted values: StoredForm.Values) {
    add(entity, number, values.map { KeyChange(key: $0.key, old: $0.value) })
  }
}

/// The keys of each object that a change affects, on both sides of relationships.
package struct TouchedKeys: Sendable {
  package enum Keys: Sendable, Equatable {
    case some(Set<String>)
    /// The object was inserted or deleted.
    case all
  }

  /// The keys by table and object number.
  package private(set) var tables: [Int: [Int64: Keys]] = [:]
  private let graph: Graph
  /// The previous model, if it was changed. Keys that were added, removed or renamed do not count as changed values.
  private let before: Model?

  /// Creates the keys of a change that the graph already contains. Linear in the change.
  package init(_ change: ChangeSet, in graph: Graph, before: Model? = nil) {
    (self.graph, self.before) = (graph, before)
    for batch in change.updated { add(updated: batch) }
    for batch in change.inserted + change.deleted { add(batch) }
  }
}

extension TouchedKeys {
  private mutating func add(_ batch: ObjectBatch) {
    guard let place = graph.place(of: batch.entity) else { return }
    for number in batch.numbers { tables[place.table, default: [:]][number] = .all }
    for column in batch.columns {
      guard let end = otherEnd(column.key, of: batch.entity) else { continue }
      for values in [column.old, column.new] {
        for value in values { note(value.numbers, end) }
      }
    }
  }

  private mutating func add(updated batch: ObjectBatch) {
    guard let place = graph.place(of: batch.entity) else { return }
    for column in batch.columns where isKept(column.key, of: batch.entity) {
      let end = otherEnd(column.key, of: batch.entity)
      for (i, number) in batch.numbers.enumerated() where column.old[i] != column.new[i] {
        note([number], (place.table, column.key))
        guard let end else { continue }
        let (old, new) = (column.old[i].numbers, column.new[i].numbers)
        note(Array(Set(old).symmetricDifference(new)), end)
      }
    }
  }

  private func isKept(_ key: String, of entity: String) -> Bool {
    guard let before else { return true }
    return before.property(named: key, of: entity) != nil
      && graph.model.property(named: key, of: entity) != nil
  }

  private mutating func note(_ numbers: [Int64], _ place: (table: Int, key: String?)) {
    guard let key = place.key else { return }
    for number in numbers {
      var keys: Set<String> = []
      if let known = tables[place.table]?[number] {
        guard case .some(let some) = known else { continue }
        keys = some
      }
      keys.insert(key)
      tables[place.table, default: [:]][number] = .some(keys)
    }
  }

  /// Returns the destination table of a relationship, and the key of its inverse if there is one.
  private func otherEnd(_ key: String, of entity: String) -> (table: Int, key: String?)? {
    guard let relationship = graph.model.relationship(named: key, of: entity),
      let table = graph.place(of: relationship.destination)?.table
    else { return nil }
    return (table, graph.model.inverse(of: key, in: entity)?.relationship.name)
  }
}
