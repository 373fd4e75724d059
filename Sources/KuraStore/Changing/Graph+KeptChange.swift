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
    return isKnown && change.inserted.allSatisfy(fits) && change.updated.allSatisfy(fits)
      && change.deleted.allSatisfy { batch in batch.numbers.allSatisfy { has(batch.entity, $0) } }
      && change.updated.allSatisfy { batch in batch.numbers.allSatisfy { has(batch.entity, $0) } }
  }

  /// Whether its values are of the kinds that the model says, and its numbers can be given.
  private func fits(_ batch: ObjectBatch) -> Bool {
    batch.numbers.allSatisfy { $0 > 0 && $0 < .max }
      && batch.columns.allSatisfy { fit($0.values, $0.key, batch.entity) }
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

  private func has(_ entity: String, _ number: Int64) -> Bool {
    guard let place = place(of: entity) else { return false }
    return tables[place.table].row(of: number) != nil
  }
}
