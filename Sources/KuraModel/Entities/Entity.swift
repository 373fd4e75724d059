/// A kind of object.
public struct Entity: Sendable, Hashable {
  /// `MemoDate`
  public var name: String
  /// The entity it inherits from, or nil.
  public var parent: String?
  /// Whether it has no objects of its own.
  public var isAbstract: Bool
  /// Its own attributes, without those it inherits, in the order of their definition.
  public var attributes: [Attribute]
  /// Its own relationships, in the order of their definition.
  public var relationships: [Relationship]
  /// `unique (title, parentCategory)`: keys that are unique together; single attributes too.
  public var uniquenessConstraints: [[String]]
  /// `index (category, date desc)`: what its objects are kept in the order of.
  public var indexes: [FetchIndex]
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?

  /// Makes an entity.
  public init(
    name: String, parent: String? = nil, isAbstract: Bool = false, attributes: [Attribute] = [],
    relationships: [Relationship] = [], uniquenessConstraints: [[String]] = [],
    indexes: [FetchIndex] = [], userInfo: String? = nil
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.userInfo = userInfo
  }
}

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
