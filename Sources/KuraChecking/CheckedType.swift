package import KuraModel
package import KuraPredicates

/// What is known of an expression's values before it is evaluated.
package enum CheckedType: Sendable, Hashable {
  /// `title`
  case attribute(AttributeType)
  /// `parentCategory`, `SELF`
  case object(entity: String)
  /// `objectID`, of an object of this entity
  case objectID(entity: String)
  /// `items`, `items.title`, `{1, 2}`
  indirect case collection(CheckedType)
  /// `entity`
  case entity
  /// A literal or variable, which is read as what it stands against.
  case literal
  case number
  case string
  case date
  case boolean
  /// Known when it is evaluated.
  case any
}

extension CheckedType {
  package var isCollection: Bool { if case .collection = self { true } else { false } }

  /// A collection of such; of collections that stand deep in each other no more is known than that.
  var collected: CheckedType {
    var (element, levels) = (self, 0)
    while case .collection(let inner) = element, levels < Self.mostLevels {
      (element, levels) = (inner, levels + 1)
    }
    return .collection(levels < Self.mostLevels ? self : .any)
  }

  /// How many collections in each other are told apart: no question asks about more.
  private static let mostLevels = 8

  /// Of a collection what it holds.
  package var element: CheckedType {
    if case .collection(let element) = self { element } else { self }
  }

  /// What an attribute of this type is compared with, for literals; nil: as it stands.
  var literalType: AttributeType? {
    switch self {
    case .attribute(let type): type
    case .collection(let element): element.literalType
    case .date: .date
    case .object, .objectID, .entity, .literal, .number, .string, .boolean, .any: nil
    }
  }

  /// Whether its values are numbers.
  package var isNumeric: Bool {
    switch self {
    case .attribute(let type): type.isNumeric
    case .number: true
    case .object, .objectID, .collection, .entity, .literal, .string, .date, .boolean, .any: false
    }
  }

  /// What is known of a value that may as well be another literal.
  var orAny: CheckedType { if case .literal = self { .any } else { self } }

  /// Whether the two say the same of a single value.
  func isSame(as other: CheckedType) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let two)): one == two
    case (.date, .date), (.number, .number), (.string, .string), (.boolean, .boolean): true
    case (.date, .attribute(.date)), (.attribute(.date), .date): true
    default: false
    }
  }

  /// The entity of the objects, or of the objects in the collection.
  package var entity: String? {
    switch self {
    case .object(let entity): entity
    case .collection(let element): element.entity
    case .attribute, .objectID, .entity, .literal, .number, .string, .date, .boolean, .any: nil
    }
  }

  /// Whether it is known to be one value.
  var isOneValue: Bool {
    switch self {
    case .attribute(let type): type != .json
    case .object, .objectID, .entity, .number, .string, .date, .boolean: true
    case .collection, .literal, .any: false
    }
  }
}

extension AttributeType {
  /// Whether string operators can be asked of its values.
  var holdsText: Bool {
    switch self {
    case .string, .uri, .json: true
    case .integer, .integer16, .integer32, .double, .float, .decimal, .boolean, .date, .uuid,
      .binary:
      false
    }
  }
}

/// An expression with its names checked, and what is known of its values.
package struct CheckedExpression: Sendable {
  package var tree: ExpressionTree
  package var type: CheckedType
  /// The same before the check, with its variables.
  let written: ExpressionTree

  init(tree: ExpressionTree, type: CheckedType, written: ExpressionTree? = nil) {
    self.tree = tree
    self.type = type
    self.written = written ?? tree
  }
}
