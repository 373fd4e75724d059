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

// What a type lets stand beside its values, for a person who types.
extension CheckedType {
  init(_ result: PredicateFunction.ResultType) {
    switch result {
    case .number, .numberLikeElements: self = .number
    case .string: self = .string
    case .date: self = .date
    case .boolean: self = .boolean
    case .uuid: self = .attribute(.uuid)
    case .collection: self = .collection(.any)
    case .argument, .firstTyped, .element, .member, .numberOrList, .other, .castTarget,
      .unknown:
      self = .any
    }
  }

  /// What is compared by an operator with a value of this type.
  func asked(
    by operation: ComparisonOperator, _ modifier: ComparisonModifier
  ) -> CheckedType {
    switch operation {
    case .like, .matches, .beginsWith, .endsWith: .string
    case .in: .collection(element)
    case .contains: element
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .selector,
      .unsupported:
      modifier == .direct ? self : element
    }
  }

  /// The operators that make sense of such a value on their left.
  var comparisons: [ComparisonOperator] {
    let order: [ComparisonOperator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in,
    ]
    let text: [ComparisonOperator] = [.contains, .beginsWith, .endsWith, .like, .matches]
    return switch self {
    case .attribute(let type):
      type == .boolean ? [.equal, .notEqual] : type.holdsText ? order + text : order
    case .number, .date, .objectID: order
    case .string, .any, .literal: order + text
    case .boolean: [.equal, .notEqual]
    case .object, .entity: [.equal, .notEqual, .in]
    case .collection: [.contains, .equal, .notEqual]
    }
  }

  /// Whether a value of this type may be what a value of another is compared with.
  func isLike(_ other: CheckedType) -> Bool {
    let (one, two) = (element.family, other.element.family)
    return one == nil || two == nil || one == two
  }

  func isLike(_ kind: PredicateFunction.OperandKind) -> Bool {
    switch kind {
    case .any: true
    case .number, .integer: isLike(CheckedType.number)
    case .text, .word, .pattern, .locale: isLike(CheckedType.string)
    case .date: isLike(CheckedType.date)
    case .collection: isCollection || family == nil
    }
  }

  /// Types whose values are compared with each other; nil: with all.
  private var family: String? {
    switch self {
    case .attribute(let type):
      type.isNumeric ? "number" : type == .json ? nil : type.rawValue
    case .number: "number"
    case .string: AttributeType.string.rawValue
    case .date: AttributeType.date.rawValue
    case .boolean: AttributeType.boolean.rawValue
    case .object(let entity), .objectID(let entity): "/" + entity
    case .entity: "entity"
    case .collection, .literal, .any: nil
    }
  }
}
