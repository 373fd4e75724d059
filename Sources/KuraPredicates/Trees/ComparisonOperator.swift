/// An operator that compares two values.
public enum ComparisonOperator: Sendable, Hashable {
  /// `==` `=`
  case equal
  /// `!=` `<>`
  case notEqual
  /// `<`
  case less
  /// `<=` `=<`
  case lessOrEqual
  /// `>`
  case greater
  /// `>=` `=>`
  case greaterOrEqual
  /// `MATCHES`
  case matches
  /// `LIKE`
  case like
  /// `BEGINSWITH`
  case beginsWith
  /// `ENDSWITH`
  case endsWith
  /// `CONTAINS`
  case contains
  /// `IN`
  case `in`
  /// `BETWEEN`
  case between
  /// `SELF isKindOfClass: "text"`; it can be parsed, but its evaluation is an error
  case selector(String)
  /// `TOKENMATCHES`, `UTI-CONFORMS-TO`, `UTI-EQUALS`; they can be parsed, but their evaluation is
  /// an error
  case unsupported(String)
}

extension ComparisonOperator {
  /// The operator as it prints: `==`, `CONTAINS`, `isKindOfClass:`.
  package var text: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .contains: "CONTAINS"
    case .in: "IN"
    case .between: "BETWEEN"
    case .selector(let name), .unsupported(let name): name
    }
  }

  /// The operators that are words, for completion and for suggestions.
  package static let words = all.map(\.text).filter { $0.first?.isLetter == true }

  /// The operators that can be evaluated.
  package static let all: [ComparisonOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contains, .beginsWith,
    .endsWith, .like, .matches, .in, .between,
  ]

  /// The operators that take the same sides.
  package enum Family: Sendable {
    /// `==` `!=`: both sides can be of any kind
    case equality
    /// `<` `<=` `>` `>=`: values with an order
    case order
    /// `BETWEEN`: a list of two values with an order on the right
    case range
    /// `IN`: a list, or a text, on the right
    case membership
    /// `CONTAINS`: a list, or a text, on the left
    case content
    /// `BEGINSWITH` `ENDSWITH`: two texts
    case part
    /// `LIKE` `MATCHES`: a text and a pattern
    case pattern
    /// An operator whose evaluation is an error
    case unknown
  }

  package var family: Family {
    switch self {
    case .equal, .notEqual: .equality
    case .less, .lessOrEqual, .greater, .greaterOrEqual: .order
    case .between: .range
    case .in: .membership
    case .contains: .content
    case .beginsWith, .endsWith: .part
    case .like, .matches: .pattern
    case .selector, .unsupported: .unknown
    }
  }

  /// The operator with exchanged sides: `>` for `<`; nil for operators other than equality and order.
  package var mirrored: ComparisonOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .matches, .like, .beginsWith, .endsWith, .contains, .in, .between, .selector, .unsupported:
      nil
    }
  }

  /// The operator that is true exactly when this one is false, for values other than nil: `>=` for
  /// `<`; nil for operators other than equality and order.
  package var complement: ComparisonOperator? {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .matches, .like, .beginsWith, .endsWith, .contains, .in, .between, .selector, .unsupported:
      nil
    }
  }

  /// The operator that is true exactly when this one is false, for all operands.
  package var negated: ComparisonOperator? { family == .equality ? complement : nil }

  /// Whether it compares values of both sides, or of a list, with each other, and not texts only.
  package var comparesValues: Bool { ![.part, .pattern, .unknown].contains(family) }

  /// Whether it tests values for equality.
  package var asksForEquality: Bool { family == .equality || family == .membership }

  /// Whether its left side is one value.
  package var wantsOneAtLeft: Bool { ![.content, .membership, .unknown].contains(family) }

  /// Whether its right side is one value.
  package var wantsOneAtRight: Bool { ![.range, .membership, .unknown].contains(family) }
}
