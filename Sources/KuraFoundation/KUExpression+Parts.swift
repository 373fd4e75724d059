import KuraPredicates

extension KUExpression {
  /// What an expression is, by the names that Cocoa has.
  public enum ExpressionType: UInt, Sendable {
    /// `3`, `"誕生"`
    case constantValue = 0
    /// `SELF`
    case evaluatedObject = 1
    /// `$name`
    case variable = 2
    /// `author.name`
    case keyPath = 3
    /// `abs:(balance)`, `price * 2`, `FUNCTION(…)`
    case function = 4
    /// `a UNION b`
    case unionSet = 5
    /// `a INTERSECT b`
    case intersectSet = 6
    /// `a MINUS b`
    case minusSet = 7
    /// `SUBQUERY(…)`
    case subquery = 13
    /// `{a, b}`
    case aggregate = 14
    /// `ANYKEY`
    case anyKey = 15
    /// A predicate or a fetch in the place of a value, which only Kura has
    case block = 19
    /// `TERNARY(…)`
    case conditional = 20
  }

  /// What the expression is.
  public var expressionType: ExpressionType {
    switch tree.kind {
    case .constant: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable
    case .keyPath: .keyPath
    case .function, .message, .index, .indexAfterDot, .assignment, .objectOrQuotient: .function
    case .setOperation(.union, _, _): .unionSet
    case .setOperation(.intersect, _, _): .intersectSet
    case .setOperation(.minus, _, _): .minusSet
    case .subquery: .subquery
    case .aggregate: .aggregate
    case .anyKey: .anyKey
    case .ternary: .conditional
    case .predicate, .fetch: .block
    }
  }

  /// The collection of an aggregate, as expressions, or of a subquery, as one; nil of anything
  /// else. Linear in the elements of an aggregate, else constant.
  public var collection: Any? {
    switch tree.kind {
    case .aggregate(let elements): elements.map { KUExpression($0) }
    case .subquery(let collection, _, _): KUExpression(collection)
    default: nil
    }
  }

  /// The predicate of a subquery or a conditional expression; nil of anything else.
  public var predicate: KUPredicate? {
    switch tree.kind {
    case .subquery(_, _, let predicate), .ternary(let predicate, _, _): KUPredicate(predicate)
    default: nil
    }
  }

  /// The left side of a union, an intersection or a difference; nil of anything else.
  public var left: KUExpression? { sides.map { KUExpression($0.0) } }

  /// The right side of a union, an intersection or a difference; nil of anything else.
  public var right: KUExpression? { sides.map { KUExpression($0.1) } }

  /// What a conditional expression is worth where its predicate holds; nil of anything else.
  public var `true`: KUExpression? {
    if case .ternary(_, let value, _) = tree.kind { KUExpression(value) } else { nil }
  }

  /// What a conditional expression is worth elsewhere; nil of anything else.
  public var `false`: KUExpression? {
    if case .ternary(_, _, let value) = tree.kind { KUExpression(value) } else { nil }
  }

  private var sides: (ExpressionTree, ExpressionTree)? {
    if case .setOperation(_, let left, let right) = tree.kind { (left, right) } else { nil }
  }
}
