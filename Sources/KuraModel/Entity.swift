public import KuraPredicates
public import KuraValues

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

/// A value that every object of an entity has.
public struct Attribute: Sendable, Hashable {
  /// `title`
  public var name: String
  /// `string`
  public var type: AttributeType
  /// `date?`
  public var isOptional: Bool
  /// `= NO`: what an object has that was given nothing.
  public var defaultValue: Value?
  /// `min 0`: a number, a date, or the least length of a string in UTF-16 units.
  public var minimum: Value?
  /// `max 5`
  public var maximum: Value?
  /// `matches "[0-9]+"`
  public var pattern: String?
  /// `check (length(title) < 20)`
  public var check: PredicateTree?
  /// `derived (items.@count)`
  public var derivation: ExpressionTree?
  /// `transient`: never written.
  public var isTransient: Bool
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?

  /// Makes an attribute.
  public init(
    name: String, type: AttributeType, isOptional: Bool = false, defaultValue: Value? = nil,
    minimum: Value? = nil, maximum: Value? = nil, pattern: String? = nil,
    check: PredicateTree? = nil, derivation: ExpressionTree? = nil, isTransient: Bool = false,
    userInfo: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
    self.check = check
    self.derivation = derivation
    self.isTransient = isTransient
    self.userInfo = userInfo
  }
}

/// The type of an attribute, by the word that names it in a model.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// 64 bits
  case integer
  /// -32,768 to 32,767
  case integer16
  /// -2,147,483,648 to 2,147,483,647
  case integer32
  /// IEEE 754, 64 bits
  case double
  /// IEEE 754, 32 bits
  case float
  /// 38 digits
  case decimal
  /// Unicode text
  case string
  /// YES or NO
  case boolean
  /// Microseconds, years 1 to 9999
  case date
  /// 128 bits
  case uuid
  /// A URI's text
  case uri
  /// Bytes
  case binary
  /// Any JSON value
  case json
}

/// A way from an object to others.
public struct Relationship: Sendable, Hashable {
  /// `items`
  public var name: String
  /// `Item`
  public var destination: String
  /// `[Item]`
  public var isToMany: Bool
  /// Whether it may be empty; `Category?` and `[Item]` may.
  public var isOptional: Bool
  /// `[Item] ordered`
  public var isOrdered: Bool
  /// `inverse parentCategory`
  public var inverse: String?
  /// `delete cascade`
  public var deleteRule: DeleteRule
  /// `min 1`: the least count of a to-many.
  public var minimumCount: Int?
  /// `max 5`
  public var maximumCount: Int?
  /// Kept, and means nothing: the JSON text of an object.
  public var userInfo: String?

  /// Makes a relationship.
  public init(
    name: String, destination: String, isToMany: Bool = false, isOptional: Bool = true,
    isOrdered: Bool = false, inverse: String? = nil, deleteRule: DeleteRule = .nullify,
    minimumCount: Int? = nil, maximumCount: Int? = nil, userInfo: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.isOrdered = isOrdered
    self.inverse = inverse
    self.deleteRule = deleteRule
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.userInfo = userInfo
  }
}

/// What becomes of the destination when the source is deleted.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// Its inverse is emptied.
  case nullify
  /// It is deleted too.
  case cascade
  /// The source may not be deleted while there is one.
  case deny
  /// Nothing happens to it.
  case none
}
