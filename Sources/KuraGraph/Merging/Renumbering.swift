package import KuraModel
package import KuraValues

/// Other numbers for new objects whose numbers somebody else has used.
package struct Renumbering: Sendable {
  /// The new numbers by root entity and old number.
  private var numbers: [String: [Int64: Int64]] = [:]
  /// Objects by their old and new identity, in their order.
  package private(set) var objects: [(old: ObjectID, new: ObjectID)] = []

  package init() {}

  package var isEmpty: Bool { objects.isEmpty }

  mutating func add(_ old: ObjectID, _ number: Int64) {
    var new = old
    new.number = number
    numbers[old.root, default: [:]][old.number] = number
    objects.append((old, new))
  }

  /// From the new numbers back to the old ones.
  var inverted: Renumbering {
    var result = Renumbering()
    for (old, new) in objects { result.add(new, old.number) }
    return result
  }

  /// A conflict in the numbers that whoever made the change knows.
  func callAsFunction(_ conflict: ChangeConflict, in model: Model) -> ChangeConflict {
    if isEmpty { return conflict }
    var result = conflict
    result.object = self(conflict.object)
    switch conflict.kind {
    case .destination(let id): result.kind = .destination(self(id))
    case .beside(let id): result.kind = .beside(self(id))
    case .leads(let id): result.kind = .leads(self(id))
    case .value, .deleted, .changed, .taken, .together: break
    }
    if let key = conflict.key {
      result.new = renumbered([conflict.new], key, conflict.object.entity, model)[0]
    }
    return result
  }

  /// The identity that an object has now.
  package func callAsFunction(_ id: ObjectID) -> ObjectID {
    var id = id
    id.number = number(id.number, root: id.root)
    return id
  }

  private func number(_ number: Int64, root: String) -> Int64 {
    numbers[root]?[number] ?? number
  }
}

extension Renumbering {
  /// A change with the new numbers wherever it names an object.
  package func callAsFunction(_ change: ChangeSet, in model: Model) -> ChangeSet {
    if isEmpty { return change }
    return ChangeSet(
      inserted: change.inserted.map { renumbered($0, model) },
      updated: change.updated.map { batch in
        var batch = batch
        batch.numbers = renumbered(batch.numbers, batch.entity, model)
        batch.columns = batch.columns.map {
          UpdatedColumn(
            key: $0.key, old: renumbered($0.old, $0.key, batch.entity, model),
            new: renumbered($0.new, $0.key, batch.entity, model))
        }
        return batch
      },
      deleted: change.deleted.map { renumbered($0, model) })
  }

  /// The same for the net of several changes, of which what was there before keeps its number.
  func callAsFunction(net change: ChangeSet, in model: Model) -> ChangeSet {
    if isEmpty { return change }
    return ChangeSet(
      inserted: change.inserted.map { renumbered($0, model) },
      updated: change.updated.map { batch in
        var batch = batch
        batch.columns = batch.columns.map {
          UpdatedColumn(
            key: $0.key, old: $0.old, new: renumbered($0.new, $0.key, batch.entity, model))
        }
        return batch
      },
      deleted: change.deleted)
  }

  private func renumbered(_ batch: ObjectBatch, _ model: Model) -> ObjectBatch {
    ObjectBatch(
      entity: batch.entity, numbers: renumbered(batch.numbers, batch.entity, model),
      columns: batch.columns.map {
        ChangeColumn(key: $0.key, values: renumbered($0.values, $0.key, batch.entity, model))
      })
  }

  private func renumbered(_ numbers: [Int64], _ entity: String, _ model: Model) -> [Int64] {
    let root = model.root(of: entity)
    return numbers.map { number($0, root: root) }
  }

  private func renumbered(
    _ values: [ChangeValue], _ key: String, _ entity: String, _ model: Model
  ) -> [ChangeValue] {
    guard case .relationship(let relationship)? = model.property(named: key, of: entity) else {
      return values
    }
    let root = model.root(of: relationship.destination)
    return values.map {
      switch $0 {
      case .object(let number): .object(self.number(number, root: root))
      case .objects(let numbers): .objects(numbers.map { self.number($0, root: root) })
      case .null, .integer, .double, .boolean, .text: $0
      }
    }
  }
}
