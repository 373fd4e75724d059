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

  /// Whether the model has the entities and keys that a change names, for values of these kinds; its
  /// objects may have gone.
  func knows(_ change: ChangeSet) -> Bool {
    (change.inserted + change.deleted).allSatisfy { batch in
      model[batch.entity]?.isAbstract == false && fits(batch)
        && batch.numbers.allSatisfy { $0 > 0 && $0 <= ObjectID.greatestNumber }
    }
      && change.updated.allSatisfy { batch in
        batch.columns.allSatisfy {
          fit($0.old, $0.key, batch.entity) && fit($0.new, $0.key, batch.entity)
        }
      }
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

  private func fit(_ values: ChangeValues, _ key: String, _ entity: String) -> Bool {
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

extension ChangeValue {
  /// Whether a key of the model can have it.
  func fits(_ slot: KeySlot) -> Bool {
    switch slot {
    case .attribute(_, let type): fits(type)
    case .toOne: numbers.count <= 1 && isLink
    case .toMany: isLink
    // What the other side writes, or nobody yet, is not taken from here.
    case .inverse, .unresolved: isLink
    }
  }

  private var isLink: Bool {
    switch self {
    case .null, .object, .objects: true
    case .integer, .double, .boolean, .text: false
    }
  }

  private func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .null: true
    case .integer(let number): fits(number, type)
    case .double: type == .double || type == .float
    case .boolean: type == .boolean
    case .text(let text): fits(text, type)
    case .object, .objects: false
    }
  }

  private func fits(_ number: Int64, _ type: AttributeType) -> Bool {
    switch type {
    case .integer: true
    case .integer16: Int16(exactly: number) != nil
    case .integer32: Int32(exactly: number) != nil
    case .date: Timestamp(microseconds: number).isInRange
    case .double, .float, .decimal, .string, .boolean, .uuid, .uri, .binary, .json: false
    }
  }

  private func fits(_ text: String, _ type: AttributeType) -> Bool {
    switch type {
    case .string, .uri: true
    // A decimal that is no number, and the null of JSON, are read as null.
    case .decimal: text == "NaN" || isValue(text, type)
    case .json: text == "null" || isValue(text, type)
    case .uuid, .binary: isValue(text, type)
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date: false
    }
  }
  private func isValue(_ text: String, _ type: AttributeType) -> Bool {
    StoredCell.text(text).value(as: type) != .null
  }
}
