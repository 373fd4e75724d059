import KuraGraph
import KuraModel

extension Graph {
  /// Does what a record says, or throws `StrangeRecord` if it cannot have been made for this graph.
  mutating func apply(_ kept: KeptChange) throws(StrangeRecord) {
    guard fits(kept.change) else { throw StrangeRecord() }
    apply(kept.change)
    raiseNextNumbers(kept.nextNumbers)
  }

  /// Whether what it names is there, and what it inserts is not.
  private func fits(_ change: ChangeSet) -> Bool {
    let isKnown =
      change.inserted.allSatisfy { model[$0.entity] != nil }
      && change.updated.allSatisfy { model[$0.entity] != nil }
      && change.deleted.allSatisfy { model[$0.entity] != nil }
    return isKnown
      && change.deleted.allSatisfy { batch in batch.numbers.allSatisfy { has(batch.entity, $0) } }
      && change.updated.allSatisfy { batch in batch.numbers.allSatisfy { has(batch.entity, $0) } }
  }

  private func has(_ entity: String, _ number: Int64) -> Bool {
    guard let place = place(of: entity) else { return false }
    return tables[place.table].row(of: number) != nil
  }
}
