import KuraModel
import KuraValues

/// What objects were in the store when a merge deleted them: bringing them back must not bring back
/// what they were before somebody else changed them.
struct DeletedValues {
  private let model: Model
  private var values: [ObjectID: [(key: String, value: ChangeValue)]] = [:]

  init(_ change: ChangeSet, _ model: Model) {
    self.model = model
    for batch in change.deleted {
      for (i, number) in batch.numbers.enumerated() {
        values[id(batch.entity, number)] = batch.values(i)
      }
    }
  }

  private func id(_ entity: String, _ number: Int64) -> ObjectID {
    ObjectID(entity: entity, root: model.root(of: entity), number: number)
  }

  /// A change whose deletions are of these values.
  func within(_ change: ChangeSet) -> ChangeSet {
    if values.isEmpty || change.deleted.isEmpty { return change }
    var deleted = BatchBuilder()
    for batch in change.deleted {
      for (i, number) in batch.numbers.enumerated() {
        deleted.add(batch.entity, number, values[id(batch.entity, number)] ?? batch.values(i))
      }
    }
    var change = change
    change.deleted = deleted.batches
    return change
  }
}
