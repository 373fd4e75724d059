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

/// Keys of an entity by which its objects are kept in order: `index (category, date desc)`.
///
///     try Entity("MemoDate") { Attribute("date", .date); FetchIndex("date") }
///     FetchIndex("category", .descending("date"))
///
/// A fetch by `==`, `<`, BETWEEN, IN or BEGINSWITH of the first key looks only at the objects that
/// the order leads to, and a sort by just these keys, either way round, is read off it. The order is
/// made when a fetch wants it for the second time (n log n), and kept while objects change.
public struct FetchIndex: Sendable, Hashable {
  /// A key and its direction.
  public struct Element: Sendable, Hashable, ExpressibleByStringLiteral {
    /// `date`
    public var key: String
    /// Whether the least comes first.
    public var isAscending: Bool

    /// Makes an element; the least comes first unless said.
    public init(_ key: String, isAscending: Bool = true) {
      self.key = key
      self.isAscending = isAscending
    }

    /// A key of which the least value comes first.
    public init(stringLiteral key: String) { self.init(key) }

    /// A key of which the greatest value comes first.
    public static func descending(_ key: String) -> Element { Element(key, isAscending: false) }
  }

  /// The keys, the first of which decides first.
  public var elements: [Element]

  /// Makes an index of keys with their directions.
  public init(_ elements: [Element]) { self.elements = elements }

  /// Makes an index of keys with their directions.
  public init(_ elements: Element...) { self.elements = elements }

  /// `category`, `date`; linear in them
  public var keys: [String] { elements.map(\.key) }
}

/// A fetch index with the entity that declares it, which may be an ancestor.
package struct OwnedIndex: Sendable, Hashable {
  package var owner: String
  package var index: FetchIndex
}

extension AttributeType {
  /// Whether objects can be kept in the order of its values.
  package var isIndexable: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date, .string: true
    case .decimal, .uuid, .uri, .binary, .json: false
    }
  }
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

extension Relationship {
  /// The least number of objects at its other end: 1 for what may not be empty.
  ///
  ///     tags: [Tag] min 2      // 2
  ///     parent: Category       // 1
  ///     parent: Category?      // 0
  ///
  /// A to-many that is not optional has at least one, also where no `min` says so.
  public var leastCount: Int { max(minimumCount ?? 0, isOptional ? 0 : 1) }

  /// The greatest number of objects at its other end, or nil for any number.
  public var greatestCount: Int? { isToMany ? maximumCount : 1 }
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
