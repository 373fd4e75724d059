import KuraModel
import KuraPredicates

/// What is known of an expression's values before it is evaluated.
enum BoundType: Sendable {
  /// `title`
  case attribute(AttributeType)
  /// `parentCategory`, `SELF`
  case object(entity: String)
  /// `objectID`, of an object of this entity
  case objectID(entity: String)
  /// `items`, `items.title`, `{1, 2}`
  indirect case collection(BoundType)
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

extension BoundType {
  var isCollection: Bool { if case .collection = self { true } else { false } }

  /// What an attribute of this type is compared with, for literals; nil: as it stands.
  var literalType: AttributeType? {
    switch self {
    case .attribute(let type): type
    case .collection(let element): element.literalType
    case .date: .date
    case .object, .objectID, .entity, .literal, .number, .string, .boolean, .any: nil
    }
  }

  /// What is known of a value that may as well be another literal.
  var orAny: BoundType { if case .literal = self { .any } else { self } }

  /// Whether the two say the same of a single value.
  func isSame(as other: BoundType) -> Bool {
    switch (self, other) {
    case (.attribute(let one), .attribute(let two)): one == two
    case (.date, .date), (.number, .number), (.string, .string), (.boolean, .boolean): true
    case (.date, .attribute(.date)), (.attribute(.date), .date): true
    default: false
    }
  }

  /// The entity of the objects, or of the objects in the collection.
  var entity: String? {
    switch self {
    case .object(let entity): entity
    case .collection(let element): element.entity
    case .attribute, .objectID, .entity, .literal, .number, .string, .date, .boolean, .any: nil
    }
  }
}

/// An expression with its names checked, and what is known of its values.
struct BoundExpression {
  var tree: ExpressionTree
  var type: BoundType
}
