package import KuraModel
package import KuraValues

/// A place where a change found another value than is there now.
package struct ChangeConflict: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The same key of the same object was given another value.
    case value
    /// The object is gone.
    case deleted
    /// The object that is to be deleted was changed.
    case changed
    /// A relationship is to lead to an object that is gone, or that somebody else has now.
    case destination(ObjectID)
    /// The number is another object's.
    case taken
    /// Nobody changed the object here, and yet what was done to another one would reach it in the
    /// store.
    case beside(ObjectID)
    /// The same of an object whose deletion would empty or delete this one, which leads to it in the
    /// store, or would leave it leading nowhere.
    case leads(ObjectID)
    /// The object was deleted together with another one that stays.
    case together(ObjectID)
  }

  package var object: ObjectID
  package var kind: Kind
  package var key: String?
  /// What the change found, what it wants, and what is there now.
  package var old = ChangeValue.null
  package var new = ChangeValue.null
  package var present = ChangeValue.null
}

extension ChangeConflict {
  /// The conflict with its three values as literals.
  package func facts(in model: Model, _ zone: ZoneRules) -> ChangeFacts {
    .conflict(
      self, old: literal(old, model, zone), new: literal(new, model, zone),
      present: literal(present, model, zone))
  }

  private func literal(_ value: ChangeValue, _ model: Model, _ zone: ZoneRules) -> String {
    guard let key, let property = model.property(named: key, of: object.entity) else { return "" }
    switch property {
    case .attribute(let attribute):
      let value = value.cell.value(as: attribute.type)
      return value.isNull ? "NULL" : attribute.type.literal(value, in: zone)
    case .relationship(let relationship):
      let names = value.numbers.map { "\(relationship.destination)/\($0)" }
      if relationship.isToMany { return "{\(names.joined(separator: ", "))}" }
      return names.first ?? "NULL"
    }
  }
}

/// A key of an object.
struct KeyOfObject: Hashable {
  var id: ObjectID
  var key: String

  init(_ id: ObjectID, _ key: String) {
    self.id = id
    self.key = key
  }
}
