import KuraGraph
import KuraModel
import KuraValues

extension Graph {
  /// Does what a record says, or throws `StrangeRecord` if it cannot have been made for this graph
  /// or leaves what no document can have; then the graph is of no use any more.
  mutating func apply(_ kept: KeptChange) throws(StrangeRecord) {
    guard fits(kept.change), fits(kept.nextNumbers) else { throw StrangeRecord() }
    apply(kept.change)
    guard formFault(after: kept.change) == nil else { throw StrangeRecord() }
    raiseNextNumbers(kept.nextNumbers)
  }

  /// Whether what it names is there, and what it inserts is not.
  private func fits(_ change: ChangeSet) -> Bool {
    var given = GivenNumbers(self)
    return change.deleted.allSatisfy { given.delete($0) }
      && change.inserted.allSatisfy { given.insert($0) && fits($0) }
      && change.updated.allSatisfy { given.has($0) && fits($0) }
  }

  /// Whether its values are of the kinds that the model says.
  private func fits(_ batch: ObjectBatch) -> Bool {
    batch.columns.allSatisfy { fit($0.values, $0.key, batch.entity) }
  }

  private func fits(_ batch: UpdatedObjects) -> Bool {
    batch.columns.allSatisfy { fit($0.new, $0.key, batch.entity) }
  }

  private func fit(_ values: [ChangeValue], _ key: String, _ entity: String) -> Bool {
    guard let place = place(of: entity),
      let slot = tables[place.table].layout.slots[place.code][key]
    else { return false }
    return values.allSatisfy { $0.fits(slot) }
  }

  /// By root entity, numbers that a document may have.
  private func fits(_ next: [String: Int64]) -> Bool {
    next.allSatisfy { root, number in
      tables.contains { $0.layout.root == root }
        && (1...ObjectID.greatestNumber + 1).contains(number)
    }
  }
}

/// Which objects there are in the course of a record.
private struct GivenNumbers {
  private let graph: Graph
  /// Table by table, what the record deletes and inserts.
  private var gone: [Set<Int64>]
  private var come: [Set<Int64>]

  init(_ graph: Graph) {
    self.graph = graph
    gone = graph.tables.map { _ in [] }
    come = gone
  }

  /// Objects that are there and of the entity, each once.
  mutating func delete(_ batch: ObjectBatch) -> Bool {
    guard let place = graph.place(of: batch.entity) else { return false }
    return batch.numbers.allSatisfy {
      isThere($0, place) && gone[place.table].insert($0).inserted
    }
  }

  /// Numbers that are free, or were given up by this record.
  mutating func insert(_ batch: ObjectBatch) -> Bool {
    guard let place = graph.place(of: batch.entity),
      graph.model[batch.entity]?.isAbstract == false
    else { return false }
    return batch.numbers.allSatisfy { number in
      let isFree =
        graph.row(of: number, inTable: place.table) == nil || gone[place.table].contains(number)
      return isFree && number > 0 && number <= ObjectID.greatestNumber
        && come[place.table].insert(number).inserted
    }
  }

  func has(_ batch: UpdatedObjects) -> Bool {
    guard let place = graph.place(of: batch.entity) else { return false }
    return batch.numbers.allSatisfy { number in
      come[place.table].contains(number)
        || isThere(number, place) && !gone[place.table].contains(number)
    }
  }

  private func isThere(_ number: Int64, _ place: EntityPlace) -> Bool {
    let table = graph.tables[place.table]
    return table.row(of: number).map { table.entityCode($0) == place.code } ?? false
  }
}
