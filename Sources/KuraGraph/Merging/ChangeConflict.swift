package import KuraModel
package import KuraValues

/// A key or object that a change found in another state than its present one.
package struct ChangeConflict: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The same key of the same object was set to another value.
    case value
    case deleted
    /// The object to delete was changed.
    case changed
    /// A relationship would lead to an object that was deleted, or that belongs to another object now.
    case destination(ObjectID)
    /// The number belongs to another object.
    case taken
    /// The object was not changed here, but the edit of another object would affect it in the store.
    case beside(ObjectID)
    /// The object was not changed here, but in the store it leads to an object to delete. It would
    /// be deleted, or its link would become empty or dangling.
    case leads(ObjectID)
    /// The object was deleted together with another one that remains.
    case together(ObjectID)
  }

  package var object: ObjectID
  package var kind: Kind
  package var key: String?
  /// The value that the change found, the new value, and the present one.
  package var old = StoredCell.null
  package var new = StoredCell.null
  package var present = StoredCell.null
}

extension ChangeConflict {
  /// Returns the conflict with its values as literals.
  package func facts(in model: Model, _ zone: ZoneRules) -> ChangeProblem {
    .conflict(
      self, old: literal(old, model, zone), new: literal(new, model, zone),
      present: literal(present, model, zone))
  }

  private func literal(_ value: StoredCell, _ model: Model, _ zone: ZoneRules) -> String {
    guard let key, let property = model.property(named: key, of: object.entity) else { return "" }
    switch property {
    case .attribute(let attribute):
      let value = value.value(as: attribute.type)
      return value.isNull ? "NULL" : attribute.type.literal(value, in: zone)
    case .relationship(let relationship):
      let names = value.numbers.map { "\(relationship.destination)/\($0)" }
      if relationship.isToMany { return "{\(names.joined(separator: ", "))}" }
      return names.first ?? "NULL"
    }
  }
}

struct KeyOfObject: Hashable {
  var id: ObjectID
  var key: String

  init(_ id: ObjectID, _ key: String) {
    self.id = id
    self.key = key
  }
}
