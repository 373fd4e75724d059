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
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?

  /// Makes an entity.
  public init(
    name: String, parent: String? = nil, isAbstract: Bool = false, attributes: [Attribute] = [],
    relationships: [Relationship] = [], uniquenessConstraints: [[String]] = [],
    userInfo: String? = nil
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.uniquenessConstraints = uniquenessConstraints
    self.userInfo = userInfo
  }
}
