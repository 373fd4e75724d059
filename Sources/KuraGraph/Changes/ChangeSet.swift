/// A change of the graph as a value. Objects are identified by objectID, never by row.
///
/// It contains the previous values, so it can be inverted, and a merge needs no common ancestor. It
/// contains each relationship on the side that a document stores; inverses follow.
package struct ChangeSet: Sendable, Equatable {
  /// The inserted objects, grouped by entity.
  package var inserted: [ObjectBatch]
  /// The objects with changed values.
  package var updated: [UpdatedObjects]
  /// The deleted objects, with their values.
  package var deleted: [ObjectBatch]

  package init(
    inserted: [ObjectBatch] = [], updated: [UpdatedObjects] = [], deleted: [ObjectBatch] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// Objects of one entity, as columns.
package struct ObjectBatch: Sendable, Equatable {
  package var entity: String
  package var numbers: [Int64]
  /// Every attribute, and the relationships that are not empty; a missing key is empty.
  package var columns: [ChangeColumn]

  package init(entity: String, numbers: [Int64] = [], columns: [ChangeColumn] = []) {
    self.entity = entity
    self.numbers = numbers
    self.columns = columns
  }
}

/// The values of one key, one per object.
package struct ChangeColumn: Sendable, Equatable {
  package var key: String
  package var values: ChangeValues

  package init(key: String, values: ChangeValues = []) {
    self.key = key
    self.values = values
  }

  package init(key: String, values: [ChangeValue]) {
    self.init(key: key, values: ChangeValues(values))
  }
}

/// Objects of one entity with changed values of the same keys.
package struct UpdatedObjects: Sendable, Equatable {
  package var entity: String
  package var numbers: [Int64]
  package var columns: [UpdatedColumn]

  package init(entity: String, numbers: [Int64] = [], columns: [UpdatedColumn] = []) {
    self.entity = entity
    self.numbers = numbers
    self.columns = columns
  }
}

/// The old and new values of one key, one pair per object.
package struct UpdatedColumn: Sendable, Equatable {
  package var key: String
  package var old: ChangeValues
  package var new: ChangeValues

  package init(key: String, old: ChangeValues = [], new: ChangeValues = []) {
    self.key = key
    self.old = old
    self.new = new
  }

  package init(key: String, old: [ChangeValue], new: [ChangeValue]) {
    self.init(key: key, old: ChangeValues(old), new: ChangeValues(new))
  }
}

extension ChangeSet {
  /// The change that reverts this one.
  package var inverted: ChangeSet {
    ChangeSet(
      inserted: deleted,
      updated: updated.map { batch in
        var batch = batch
        batch.columns = batch.columns.map {
          UpdatedColumn(key: $0.key, old: $0.new, new: $0.old)
        }
        return batch
      }, deleted: inserted)
  }

  /// The numbers of inserted, updated and deleted objects.
  package var counts: (inserted: Int, updated: Int, deleted: Int) {
    (
      inserted.reduce(0) { $0 + $1.numbers.count }, updated.reduce(0) { $0 + $1.numbers.count },
      deleted.reduce(0) { $0 + $1.numbers.count }
    )
  }
}

/// Groups successive objects of one entity with the same keys into batches.
struct BatchBuilder {
  private(set) var batches: [ObjectBatch] = []

  mutating func add(
    _ entity: String, _ number: Int64, _ values: [(key: String, value: ChangeValue)]
  ) {
    let last = batches.count - 1
    let fits =
      last >= 0 && batches[last].entity == entity
      && batches[last].columns.elementsEqual(values) { $0.key == $1.key }
    guard fits else {
      batches.append(
        ObjectBatch(
          entity: entity, numbers: [number],
          columns: values.map { ChangeColumn(key: $0.key, values: ChangeValues($0.value)) }))
      return
    }
    batches[last].numbers.append(number)
    for i in values.indices { batches[last].columns[i].values.append(values[i].value) }
  }
}

extension BatchBuilder {
  mutating func add(_ batch: ObjectBatch) {
    let last = batches.count - 1
    let fits =
      last >= 0 && batches[last].entity == batch.entity
      && batches[last].columns.elementsEqual(batch.columns) { $0.key == $1.key }
    guard fits else {
      if !batch.numbers.isEmpty { batches.append(batch) }
      return
    }
    batches[last].numbers += batch.numbers
    for i in batch.columns.indices {
      batches[last].columns[i].values.append(contentsOf: batch.columns[i].values)
    }
  }
}

/// Groups successive updates of one entity with the same keys into batches.
struct UpdateBuilder {
  private(set) var batches: [UpdatedObjects] = []

  mutating func add(
    _ entity: String, _ number: Int64, _ values: [(key: String, old: ChangeValue, new: ChangeValue)]
  ) {
    let last = batches.count - 1
    let fits =
      last >= 0 && batches[last].entity == entity
      && batches[last].columns.elementsEqual(values) { $0.key == $1.key }
    guard fits else {
      batches.append(
        UpdatedObjects(
          entity: entity, numbers: [number],
          columns: values.map {
            UpdatedColumn(key: $0.key, old: ChangeValues($0.old), new: ChangeValues($0.new))
          }))
      return
    }
    batches[last].numbers.append(number)
    for i in values.indices {
      batches[last].columns[i].old.append(values[i].old)
      batches[last].columns[i].new.append(values[i].new)
    }
  }
}
