import KuraModel
import KuraPredicates

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
