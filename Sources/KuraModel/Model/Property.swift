/// What a key of an entity stands for.
public enum Property: Sendable, Hashable {
  /// `title: string`
  case attribute(Attribute)
  /// `items: [Item]`
  case relationship(Relationship)

  /// `title`
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }
}

/// A property with the entity that declares it, which may be an ancestor.
public struct OwnedProperty: Sendable, Hashable {
  /// `Item`, also for a `Task` that inherits from it.
  public var owner: String
  /// The property itself.
  public var property: Property
}

/// Keys that are unique together among the objects of an entity and its descendants.
public struct UniquenessConstraint: Sendable, Hashable {
  /// The entity that declares it.
  public var owner: String
  /// `title`, `parentCategory`
  public var keys: [String]
}

/// The key that a checked tree has for `objectID` where it is compared with numbers.
package let objectNumberKey = "objectID\u{0}number"
