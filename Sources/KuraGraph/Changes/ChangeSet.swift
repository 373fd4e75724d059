package import KuraValues

/// A change of the graph as a value: objects by objectID, never by row.
///
/// Nothing changes the graph's objects in another way.
package struct ChangeSet: Sendable {
  /// The version of this form, for what is kept.
  package var version = 1
  /// New objects, entity by entity.
  package var inserted: [InsertedObjects]

  package init(inserted: [InsertedObjects] = []) { self.inserted = inserted }

  package var isEmpty: Bool { inserted.allSatisfy { $0.numbers.isEmpty } }
}

/// New objects of one entity, as columns.
package struct InsertedObjects: Sendable {
  package var entity: String
  package var numbers: [Int64]
  /// Every attribute, and the relationships that were given.
  package var columns: [(key: String, values: [Value])]

  package init(entity: String, numbers: [Int64], columns: [(key: String, values: [Value])]) {
    self.entity = entity
    self.numbers = numbers
    self.columns = columns
  }
}
