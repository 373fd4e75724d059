public import KuraDiagnostics
public import KuraModel
public import KuraPredicates
public import KuraValues

/// A result builder that collects attributes, relationships, unique keys and indexes for an
/// `Entity`.
@resultBuilder
public enum PropertyBuilder {
  /// A part of an entity.
  public enum Part: Sendable {
    /// An attribute or a relationship.
    case property(Property)
    /// Keys whose combined values are unique.
    case unique([String])
    /// An index, which keeps objects sorted by keys.
    case index(FetchIndex)
  }

  /// Accepts an attribute.
  public static func buildExpression(_ attribute: Attribute) -> [Part] {
    [.property(.attribute(attribute))]
  }
  /// Accepts a relationship.
  public static func buildExpression(_ relationship: Relationship) -> [Part] {
    [.property(.relationship(relationship))]
  }
  /// Accepts unique keys.
  public static func buildExpression(_ unique: Unique) -> [Part] { [.unique(unique.keys)] }
  /// Accepts an index.
  public static func buildExpression(_ index: FetchIndex) -> [Part] { [.index(index)] }
  /// Combines the parts of a block.
  public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap(\.self) }
  /// Supports `if` without `else`.
  public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
  /// Supports the first branch of `if` and `else`.
  public static func buildEither(first parts: [Part]) -> [Part] { parts }
  /// Supports the second branch of `if` and `else`.
  public static func buildEither(second parts: [Part]) -> [Part] { parts }
  /// Supports `for`.
  public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap(\.self) }
}

/// Keys of an entity whose combined values are unique.
///
///     Unique("title", "parentCategory")
public struct Unique: Sendable, Hashable {
  /// The keys, such as `title` and `parentCategory`.
  public var keys: [String]

  /// Creates a unique constraint for one key or a combination of keys.
  public init(_ keys: String...) { self.keys = keys }
}

extension Entity {
  /// Creates an entity without properties of its own, such as a parent entity or a marker.
  ///
  ///     Entity("Reminder", parent: "Item")
  ///
  /// Constant time.
  public init(_ name: String, parent: String? = nil, isAbstract: Bool = false) {
    self.init(name: name, parent: parent, isAbstract: isAbstract)
  }

  /// Creates an entity from its attributes, relationships, unique keys and indexes.
  ///
  ///     Entity("Task", parent: "Item") { Attribute("priority", .integer, default: 0) }
  ///
  /// Linear in the properties. Throws what `properties` throws, for example because the text of a
  /// rule cannot be parsed.
  public init<Failed: Error>(
    _ name: String, parent: String? = nil, isAbstract: Bool = false,
    @PropertyBuilder _ properties: () throws(Failed) -> [PropertyBuilder.Part]
  ) throws(Failed) {
    self.init(name: name, parent: parent, isAbstract: isAbstract)
    for part in try properties() {
      switch part {
      case .property(.attribute(let attribute)): attributes.append(attribute)
      case .property(.relationship(let relationship)): relationships.append(relationship)
      case .unique(let keys): uniquenessConstraints.append(keys)
      case .index(let index): indexes.append(index)
      }
    }
  }
}

extension Attribute {
  /// Creates an attribute. The literals of its default and bounds are converted to its type.
  ///
  ///     Attribute("due", .date, isOptional: true)
  ///     Attribute("priority", .integer, default: 0, minimum: 0, maximum: 5)
  ///     Attribute("title", .string, minimum: 1, check: Key("title") != "?")
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, default: Value? = .none,
    minimum: Value? = .none, maximum: Value? = .none, matches pattern: String? = nil,
    check: PredicateTree? = nil, isTransient: Bool = false
  ) {
    self.init(
      name: name, type: type, isOptional: isOptional, defaultValue: `default`, minimum: minimum,
      maximum: maximum, pattern: pattern, check: check, isTransient: isTransient)
  }

  /// Creates a derived attribute, whose value is computed after each change.
  ///
  ///     try Attribute("openCount", .integer, derived: "SUBQUERY(items, $i, $i.done == NO).@count")
  ///
  /// Linear in the text. Throws a diagnostic whose span is in the text.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, derived expression: String
  ) throws(Diagnostic) {
    self.init(
      name: name, type: type, isOptional: isOptional,
      derivation: try ExpressionTree(parsing: expression))
  }

  /// Creates an attribute whose default is computed once per object.
  ///
  ///     try Attribute("created", .date, computedDefault: "now()")
  ///
  /// Linear in the text. Throws a diagnostic whose span is in the text.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false,
    computedDefault expression: String
  ) throws(Diagnostic) {
    self.init(
      name: name, type: type, isOptional: isOptional,
      defaultExpression: try ExpressionTree(parsing: expression))
  }
}

extension Relationship {
  /// Creates a to-one relationship, by default an optional one.
  ///
  ///     Relationship("parentCategory", to: "Category", inverse: "items")
  public init(
    _ name: String, to destination: String, inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify
  ) {
    self.init(
      name: name, destination: destination, isOptional: isOptional, inverse: inverse,
      deleteRule: deleteRule)
  }

  /// Creates a to-many relationship.
  ///
  ///     Relationship("items", toMany: "Item", inverse: "parentCategory", deleteRule: .cascade)
  public init(
    _ name: String, toMany destination: String, inverse: String? = nil, isOrdered: Bool = false,
    minimumCount: Int? = nil, maximumCount: Int? = nil, deleteRule: DeleteRule = .nullify
  ) {
    self.init(
      name: name, destination: destination, isToMany: true, isOptional: (minimumCount ?? 0) == 0,
      isOrdered: isOrdered, inverse: inverse, deleteRule: deleteRule, minimumCount: minimumCount,
      maximumCount: maximumCount)
  }
}
