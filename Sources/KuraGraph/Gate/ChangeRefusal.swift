package import KuraModel
package import KuraValues

/// Why a change does not enter a graph: the first thing in it that the graph's model or its objects
/// do not allow.
package struct ChangeRefusal: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The model has no such entity, or the entity is abstract.
    case entity
    /// The entity has no such key, or the change has the key twice.
    case key
    /// The value has another type than the key, or is out of the type's range.
    case value(ChangeValue, AttributeType)
    /// The value of a relationship is not a list of objects, or a to-one has several.
    case notLinks
    /// A link leads to no object of the relationship's destination.
    case destination(Int64)
    /// The object does not exist.
    case missing
    /// The object exists already, or the change inserts or deletes it twice.
    case taken
    /// No object can have this number.
    case number
    /// A key has more or fewer values than the change has objects.
    case count
  }

  package var entity: String
  /// Nil if the reason concerns the entity or a key of it.
  package var number: Int64?
  package var key: String?
  package var reason: Reason

  package init(_ reason: Reason, _ entity: String, _ number: Int64? = nil, _ key: String? = nil) {
    (self.entity, self.number, self.key, self.reason) = (entity, number, key, reason)
  }
}

extension ChangeRefusal {
  /// `Item/3.title`, `Item/3`, `Item.title` or `Item`
  package var place: String {
    let object = number.map { "\(entity)/\($0)" } ?? entity
    return key.map { "\(object).\($0)" } ?? object
  }
}
