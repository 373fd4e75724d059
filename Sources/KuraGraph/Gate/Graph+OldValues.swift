package import KuraBytes
import KuraModel
import KuraValues

extension Graph {
  /// The first value that a change has found and this graph does not have: `Item/3.title`; nil if it has all.
  ///
  /// Derived values do not count: a document has them as somebody wrote them. Linear in the change;
  /// incomplete after a cancellation.
  package func otherOldValue(
    in change: ChangeSet, _ cancel: CancelFlag = CancelFlag()
  ) -> String? {
    for batch in change.deleted {
      for column in batch.columns {
        let place = otherValue(
          than: column.values, column.key, batch.entity, batch.numbers, cancel)
        if let place { return place }
      }
    }
    for batch in change.updated {
      // An object of the change itself has its old values there.
      let table = place(of: batch.entity)?.table
      let new = change.inserted.filter { place(of: $0.entity)?.table == table }
      for column in batch.columns {
        let place = otherValue(than: column.old, column.key, batch.entity, batch.numbers, cancel) {
          number in new.contains { $0.numbers.contains(number) }
        }
        if let place { return place }
      }
    }
    return nil
  }

  private func otherValue(
    than values: ChangeValues, _ key: String, _ entity: String, _ numbers: [Int64],
    _ cancel: CancelFlag, _ isNew: (Int64) -> Bool = { _ in false }
  ) -> String? {
    let property = model.property(named: key, of: entity)
    var (type, isOrdered) = (AttributeType?.none, true)
    switch property {
    case .attribute(let attribute)?:
      if attribute.derivation != nil { return nil }
      type = attribute.type
    case .relationship(let relationship)?: isOrdered = relationship.isOrdered
    case nil: break
    }
    for (i, number) in numbers.enumerated() where !cancel.isRequested {
      let (old, present) = (values[i], value(key, of: id(entity, number)))
      if old == present { continue }
      // A document may write the same JSON in another text, and does not keep the order of a to-many that
      // is not ordered.
      let isSame =
        type.map { old.cell.value(as: $0) == present.cell.value(as: $0) }
        ?? (!isOrdered && Set(old.numbers) == Set(present.numbers))
      if !isSame, !isNew(number) { return "\(entity)/\(number).\(key)" }
    }
    return nil
  }
}
