package import KuraPredicates

/// A kind of object.
public struct Entity: Sendable, Hashable {
  /// The name, such as `MemoDate`.
  public var name: String
  /// The parent entity; nil for a root.
  public var parent: String?
  /// Whether it has no objects of its own.
  public var isAbstract: Bool
  /// Its own attributes without inherited ones, in the order of definition.
  public var attributes: [Attribute]
  /// Its own relationships without inherited ones, in the order of definition.
  public var relationships: [Relationship]
  /// The combinations of keys that are unique, including single keys, as in `unique (title, parentCategory)`.
  public var uniquenessConstraints: [[String]]
  /// The orders in which its objects are indexed, as in `index (category, date desc)`.
  public var indexes: [FetchIndex]
  /// Arbitrary data that is stored but not interpreted: the JSON text of an object.
  public var userInfo: String?

  /// Creates an entity.
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

/// An attribute or relationship of an entity.
public enum Property: Sendable, Hashable {
  /// `title: string`
  case attribute(Attribute)
  /// `items: [Item]`
  case relationship(Relationship)

  /// The key, such as `title`.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  package var attribute: Attribute? {
    if case .attribute(let attribute) = self { attribute } else { nil }
  }

  package var relationship: Relationship? {
    if case .relationship(let relationship) = self { relationship } else { nil }
  }

  package var isAttribute: Bool { if case .attribute = self { true } else { false } }

  /// Whether the value of a valid object may be nil.
  package var isOptional: Bool {
    switch self {
    case .attribute(let attribute): attribute.isOptional
    case .relationship(let relationship): relationship.isOptional
    }
  }

  package var isToMany: Bool { relationship?.isToMany ?? false }
}

/// What a key of a checked path names: a property of the objects that the keys before it lead to.
package final class ResolvedKey: KeyResolution {
  /// The entity of the objects that are read; an ancestor can declare the key.
  package let entity: String
  package let property: Property

  package init(entity: String, property: Property) {
    (self.entity, self.property) = (entity, property)
  }
}

/// A key that the check knows and that no property has: `objectID`, `entity`, `self`, the size of a collection, and
/// what a single value is asked, such as the length of a text.
package final class BuiltInKey: KeyResolution {
  package static let key = BuiltInKey()
}

extension KeyComponent {
  /// The property that the key names; nil before the check, and for operators, `objectID`, `entity`, keys in JSON and
  /// keys that only a subentity has.
  package var property: Property? { resolved?.property }

  package var resolved: ResolvedKey? { resolution as? ResolvedKey }

  /// Creates a key of a property.
  package init(_ key: ResolvedKey) {
    self.init(key.property.name)
    resolution = key
  }
}

extension KeyPathTree {
  /// The properties with which the path begins: relationships, and an attribute or a last relationship.
  package var properties: [Property] {
    Array(components.lazy.map(\.property).prefix { $0 != nil }.compactMap(\.self))
  }

  /// The attribute at the end of a path of to-one relationships; nil for other paths.
  package var attribute: Attribute? {
    let properties = properties
    guard properties.count == components.count, !properties.contains(where: \.isToMany) else {
      return nil
    }
    return properties.last?.attribute
  }
}

/// A property with the entity that declares it, which can be an ancestor.
public struct OwnedProperty: Sendable, Hashable {
  /// The declaring entity: `Item`, also for a `Task` that inherits from it.
  public var owner: String
  /// The property itself.
  public var property: Property
}

/// Keys with combined values that are unique among the objects of an entity and its descendants.
public struct UniquenessConstraint: Sendable, Hashable {
  /// The entity that declares it.
  public var owner: String
  /// The keys, such as `title` and `parentCategory`.
  public var keys: [String]
}

/// The key that replaces `objectID` in a checked tree if it is compared with numbers.
package let objectNumberKey = "objectID\u{0}number"

/// Keys by which the objects of an entity are indexed: `index (category, date desc)`.
///
///     try Entity("MemoDate") { Attribute("date", .date); FetchIndex("date") }
///     FetchIndex("category", .descending("date"))
///
/// A fetch with `==`, `<`, BETWEEN, IN or BEGINSWITH on the first key visits only the matching part
/// of the index. A sort by the same keys, in either direction, is read from it. The index is built
/// when a fetch needs it for the second time (n log n), and maintained while objects change.
public struct FetchIndex: Sendable, Hashable {
  /// A key of the index, with its direction.
  public struct Element: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The key, such as `date`.
    public var key: String
    /// Whether the order is ascending.
    public var isAscending: Bool

    /// Creates an element, ascending by default.
    public init(_ key: String, isAscending: Bool = true) {
      self.key = key
      self.isAscending = isAscending
    }

    /// Creates an ascending element.
    public init(stringLiteral key: String) { self.init(key) }

    /// Returns a descending element.
    public static func descending(_ key: String) -> Element { Element(key, isAscending: false) }
  }

  /// The elements; the first has precedence.
  public var elements: [Element]

  /// Creates an index from elements.
  public init(_ elements: [Element]) { self.elements = elements }

  /// Creates an index from elements.
  public init(_ elements: Element...) { self.elements = elements }

  /// The keys, such as `category` and `date`. Linear in them.
  public var keys: [String] { elements.map(\.key) }
}

/// A fetch index with the entity that declares it, which can be an ancestor.
package struct OwnedIndex: Sendable, Hashable {
  package var owner: String
  package var index: FetchIndex
}

extension AttributeType {
  /// Whether the type can be indexed.
  package var isIndexable: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date, .string: true
    case .decimal, .uuid, .uri, .binary, .json: false
    }
  }
}

/// A reference from an object to others.
public struct Relationship: Sendable, Hashable {
  /// The name, such as `items`.
  public var name: String
  /// The destination entity, such as `Item`.
  public var destination: String
  /// Whether it is a to-many relationship, as in `[Item]`.
  public var isToMany: Bool
  /// Whether it can be empty, as in `Category?` and `[Item]`.
  public var isOptional: Bool
  /// Whether the objects have an order, as in `[Item] ordered`.
  public var isOrdered: Bool
  /// The name of the inverse relationship, as in `inverse parentCategory`.
  public var inverse: String?
  /// The delete rule, as in `delete cascade`.
  public var deleteRule: DeleteRule
  /// The minimum count of a to-many relationship, as in `min 1`.
  public var minimumCount: Int?
  /// The maximum count of a to-many relationship, as in `max 5`.
  public var maximumCount: Int?
  /// Arbitrary data that is stored but not interpreted: the JSON text of an object.
  public var userInfo: String?

  /// Creates a relationship.
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
  /// The minimum number of destination objects: 1 if it cannot be empty.
  ///
  ///     tags: [Tag] min 2      // 2
  ///     parent: Category       // 1
  ///     parent: Category?      // 0
  ///
  /// A to-many relationship that is not optional has at least one object, even without a `min`.
  public var leastCount: Int { max(minimumCount ?? 0, isOptional ? 0 : 1) }

  /// The maximum number of destination objects; nil means no limit.
  public var greatestCount: Int? { isToMany ? maximumCount : 1 }
}

/// The effect on the destination of deleting the source.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// Removes the source from the inverse relationship.
  case nullify
  /// Deletes the destination too.
  case cascade
  /// Prevents deleting the source while it has a destination.
  case deny
  /// Leaves the destination unchanged.
  case none
}
