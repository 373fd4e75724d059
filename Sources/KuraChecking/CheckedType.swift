package import KuraModel
package import KuraPredicates

/// The static knowledge about an expression's values.
package enum CheckedType: Sendable, Hashable {
  /// `title`
  case attribute(AttributeType)
  /// `parentCategory`, `SELF`
  case object(entity: String)
  /// `objectID` of an object of this entity
  case objectID(entity: String)
  /// `items`, `items.title`, `{1, 2}`
  indirect case collection(CheckedType)
  /// `entity`
  case entity
  /// A literal or variable, converted to the type it is compared with
  case literal
  case number
  case string
  case date
  case boolean
  /// Known only at evaluation.
  case any
}

extension CheckedType {
  package var isCollection: Bool { if case .collection = self { true } else { false } }

  /// A collection of this type. The nesting is tracked up to a maximum depth.
  var collected: CheckedType {
    var (element, levels) = (self, 0)
    while case .collection(let inner) = element, levels < Self.mostLevels {
      (element, levels) = (inner, levels + 1)
    }
    return .collection(levels < Self.mostLevels ? self : .any)
  }

  /// The maximum depth of tracked nesting.
  private static let mostLevels = 8

  /// The type of a collection's elements; other types are unchanged.
  package var element: CheckedType {
    if case .collection(let element) = self { element } else { self }
  }

  /// The attribute type to which literals on the other side are converted; nil for no conversion.
  var literalType: AttributeType? {
    switch self {
    case .attribute(let type): type
    case .collection(let element): element.literalType
    case .date: .date
    case .object, .objectID, .entity, .literal, .number, .string, .boolean, .any: nil
    }
  }

  /// Whether the values are numbers.
  package var isNumeric: Bool {
    switch self {
    case .attribute(let type): type.isNumeric
    case .number: true
    case .object, .objectID, .collection, .entity, .literal, .string, .date, .boolean, .any: false
    }
  }

  /// The type of literals that are read as an attribute type; other types are unchanged.
  func read(as type: AttributeType) -> CheckedType {
    switch self {
    case .literal: .attribute(type)
    case .collection(let element): .collection(element.read(as: type))
    case .attribute, .object, .objectID, .entity, .number, .string, .date, .boolean, .any: self
    }
  }

  /// The type, with `any` instead of `literal`, because another literal is possible.
  var orAny: CheckedType { if case .literal = self { .any } else { self } }

  /// Returns whether both types mean the same for a single value.
  func isSame(as other: CheckedType) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let two)): one == two
    case (.date, .date), (.number, .number), (.string, .string), (.boolean, .boolean): true
    case (.date, .attribute(.date)), (.attribute(.date), .date): true
    default: false
    }
  }

  /// The entity of the object, or of the objects in the collection.
  package var entity: String? {
    switch self {
    case .object(let entity): entity
    case .collection(let element): element.entity
    case .attribute, .objectID, .entity, .literal, .number, .string, .date, .boolean, .any: nil
    }
  }

  /// Whether it is known to be a single value.
  var isOneValue: Bool {
    switch self {
    case .attribute(let type): type != .json
    case .object, .objectID, .entity, .number, .string, .date, .boolean: true
    case .collection, .literal, .any: false
    }
  }
}

extension AttributeType {
  /// Whether string operators apply to the values.
  var holdsText: Bool {
    switch self {
    case .string, .uri, .json: true
    case .integer, .integer16, .integer32, .double, .float, .decimal, .boolean, .date, .uuid,
      .binary:
      false
    }
  }
}

/// The type in a node of a checked tree.
private final class NodeType: StaticType {
  let type: CheckedType

  private init(_ type: CheckedType) { self.type = type }

  /// Returns the node's type; one object for each type without an entity or elements.
  static func of(_ type: CheckedType) -> NodeType { shared[type] ?? NodeType(type) }

  private static let shared: [CheckedType: NodeType] = {
    let types =
      [.entity, .literal, .number, .string, .date, .boolean, .any]
      + AttributeType.allCases.map(CheckedType.attribute)
    return Dictionary(uniqueKeysWithValues: types.map { ($0, NodeType($0)) })
  }()
}

extension ExpressionTree {
  /// The type of its values; `any` for a node that was not checked.
  package var type: CheckedType { (staticType as? NodeType)?.type ?? .any }

  /// Returns the node with the type of its values.
  func typed(_ type: CheckedType) -> ExpressionTree {
    var result = self
    result.staticType = NodeType.of(type)
    return result
  }
}

/// A checked expression, with the type of its values.
package struct CheckedExpression: Sendable {
  package var tree: ExpressionTree
  package var type: CheckedType
  /// The expression before the check, with its variables.
  let written: ExpressionTree

  init(tree: ExpressionTree, type: CheckedType, written: ExpressionTree? = nil) {
    self.tree = tree
    self.type = type
    self.written = written ?? tree
  }
}

// Operators and operands that fit a type, for completion
extension CheckedType {
  init(_ result: PredicateFunction.ResultType) {
    switch result {
    case .number, .numberLikeElements: self = .number
    case .string: self = .string
    case .date: self = .date
    case .boolean: self = .boolean
    case .uuid: self = .attribute(.uuid)
    case .collection: self = .collection(.any)
    case .strings: self = .collection(.string)
    case .argument, .firstTyped, .element, .member, .numberOrList, .other, .castTarget,
      .unknown:
      self = .any
    }
  }

  /// Returns the type of the right operand for an operator and a left operand of this type.
  func asked(
    by operation: ComparisonOperator, _ modifier: ComparisonModifier
  ) -> CheckedType {
    switch operation.family {
    case .part, .pattern: .string
    case .membership: .collection(element)
    case .content: element
    case .equality, .order, .range, .unknown: modifier == .direct ? self : element
    }
  }

  /// The operators that are meaningful for a left operand of this type.
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

  /// Returns whether values of this type can be compared with values of another.
  func isLike(_ other: CheckedType) -> Bool {
    let (one, two) = (element.family, other.element.family)
    return one == nil || two == nil || one == two
  }

  func isLike(_ kind: PredicateFunction.OperandKind) -> Bool {
    switch kind {
    case .any: true
    case .number, .integer: isLike(CheckedType.number)
    case .text, .word, .pattern, .locale, .dateForm: isLike(CheckedType.string)
    case .date: isLike(CheckedType.date)
    case .collection: isCollection || family == nil
    }
  }

  /// A name that comparable types share; nil if the type is comparable with all.
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
