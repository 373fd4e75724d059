/// Whether a document writes a relationship where one looks, or at its inverse.
public enum WrittenSide: Sendable, Hashable {
  /// `Item.parentCategory`: the to-one side; without an inverse, where it is declared
  case here
  /// `Category.items`: its inverse is written
  case there
  /// `a: [B] ordered` and `b: [A] ordered`: each side has an order of its own
  case both
  /// `friends: [Person] inverse friends`: on the object with the lower objectID
  case lowerObjectID
}

extension Model {
  /// Which side of a relationship the document writes; nil if the entity has no such one.
  ///
  /// On its ordered side (both, if both are ordered), else on the to-one side, else on the side
  /// whose `Entity.relationship` comes first by Unicode scalars. The entity in that name is the one
  /// that declares the relationship, so that all its descendants agree. Constant time but for the
  /// first question, as ``root(of:)``.
  ///
  ///     model.writtenSide(of: "tags", in: "Item")   // .here: Item.tags is before Tag.items
  public func writtenSide(of relationship: String, in entity: String) -> WrittenSide? {
    guard let here = end(of: relationship, in: entity) else { return nil }
    guard let there = inverse(of: here) else { return .here }
    if here.relationship.isOrdered && there.relationship.isOrdered { return .both }
    if here.path == there.path { return .lowerObjectID }
    return here.isWritten(before: there) ? .here : .there
  }

  /// The other end of a relationship: the entity that declares the inverse, and the inverse.
  ///
  /// Nil where there is none, and where the two do not name each other. Constant time but for the
  /// first question, as ``root(of:)``.
  public func inverse(
    of relationship: String, in entity: String
  ) -> (owner: String, relationship: Relationship)? {
    guard let here = end(of: relationship, in: entity), let there = inverse(of: here) else {
      return nil
    }
    return (there.owner, there.relationship)
  }
}

/// One side of a relationship, with the entity that declares it.
struct RelationshipEnd {
  var owner: String
  var relationship: Relationship

  /// `Item.tags`
  var path: String { "\(owner).\(relationship.name)" }

  /// Of two sides of which at most one is ordered, whether this one is written.
  func isWritten(before other: RelationshipEnd) -> Bool {
    if relationship.isOrdered != other.relationship.isOrdered { return relationship.isOrdered }
    if relationship.isToMany != other.relationship.isToMany { return !relationship.isToMany }
    return path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }

  /// Whether this side's destination and inverse are the other side.
  func names(_ other: RelationshipEnd) -> Bool {
    relationship.destination == other.owner && relationship.inverse == other.relationship.name
  }
}

extension Model {
  func end(of relationship: String, in entity: String) -> RelationshipEnd? {
    guard let owned = ownedProperty(named: relationship, of: entity),
      case .relationship(let relationship) = owned.property
    else { return nil }
    return RelationshipEnd(owner: owned.owner, relationship: relationship)
  }

  /// The other side, if each of the two names the other.
  func inverse(of here: RelationshipEnd) -> RelationshipEnd? {
    guard let key = here.relationship.inverse,
      let there = end(of: key, in: here.relationship.destination)
    else { return nil }
    return here.names(there) && there.names(here) ? there : nil
  }
}
