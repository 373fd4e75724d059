package import KuraModel

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
    guard case .relationship(let relationship)? = graph.model.property(named: key, of: entity),
      let table = graph.place(of: relationship.destination)?.table
    else { return nil }
    return (table, graph.model.inverse(of: key, in: entity)?.relationship.name)
  }
}
