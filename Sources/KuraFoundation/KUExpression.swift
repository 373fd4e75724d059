import Foundation
public import KuraPredicates
import KuraValues

/// An expression with the interface of `NSExpression`.
///
///     try KUExpression(format: "price * %@", 2).expressionValue(with: ["price": 3], context: nil)   // 6
public final class KUExpression: Sendable {
  /// The expression as a tree.
  public let tree: ExpressionTree

  /// Creates an expression from a tree.
  public init(_ tree: ExpressionTree) { self.tree = tree }

  /// Parses a format with its arguments.
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  public convenience init(format: String, _ arguments: Any?...) throws {
    try self.init(
      format: format, argumentArray: arguments.map { argument -> Any in argument ?? NSNull() })
  }

  /// Parses a format with an array of arguments.
  ///
  /// Linear in the format. Throws a diagnostic whose span is in the format, or an
  /// `UnknownValueType`.
  public init(format: String, argumentArray: [Any]) throws {
    tree = try ExpressionTree(format: format, argumentArray: argumentArray.map(tree(of:)))
  }
}

extension KUExpression {
  /// Creates a constant, such as `3` or `"誕生"`. Linear in the value. Throws an `UnknownValueType`
  /// for a value that predicates do not support.
  public convenience init(forConstantValue value: Any?) throws {
    self.init(
      ExpressionTree(.constant(Constant(try value.map(Value.init(untyped:)) ?? .null))))
  }

  /// Creates a key path, such as `author.name` or `items.@count`.
  public convenience init(forKeyPath path: String) { self.init(Key(path).expression) }

  /// Creates a variable, `$name`.
  public convenience init(forVariable name: String) { self.init(ExpressionTree(.variable(name))) }

  /// Returns the evaluated object, `SELF`.
  public static func expressionForEvaluatedObject() -> KUExpression {
    KUExpression(Key.evaluatedObject.expression)
  }

  /// Creates a function call such as `sum:(…)`, with the function's selector or name.
  /// `objectFrom:withIndex:` becomes `list[0]`.
  ///
  /// Linear in the arguments.
  public convenience init(forFunction name: String, arguments: [KUExpression]) {
    let selector = FunctionCatalogue.signature(called: name)?.selector ?? name
    let call = FunctionCall(selector, arguments.map(\.tree))
    guard call.builtIn == .objectAtIndex, arguments.count == 2 else {
      self.init(ExpressionTree(.function(call)))
      return
    }
    self.init(ExpressionTree(.index(arguments[0].tree, .at(arguments[1].tree))))
  }

  /// Creates a message, `FUNCTION(target, "selector", …)`. Linear in the arguments.
  public convenience init(
    forFunction target: KUExpression, selectorName: String, arguments: [KUExpression]?
  ) {
    self.init(
      ExpressionTree(
        .message(
          target: target.tree, selector: selectorName, arguments: (arguments ?? []).map(\.tree))))
  }

  /// Creates a list, `{a, b}`. Linear in the elements.
  public convenience init(forAggregate expressions: [KUExpression]) {
    self.init(ExpressionTree(.aggregate(expressions.map(\.tree))))
  }

  /// Creates a subquery, `SUBQUERY(items, $i, …)`.
  public convenience init(
    forSubquery collection: KUExpression, usingIteratorVariable variable: String,
    predicate: KUPredicate
  ) {
    self.init(ExpressionTree(.subquery(collection.tree, variable: variable, predicate.tree)))
  }

  /// Creates a conditional expression, `TERNARY(predicate, a, b)`.
  public convenience init(
    forConditional predicate: KUPredicate, trueExpression: KUExpression,
    falseExpression: KUExpression
  ) {
    self.init(ExpressionTree(.ternary(predicate.tree, trueExpression.tree, falseExpression.tree)))
  }

  /// Creates a union, `a UNION b`.
  public convenience init(forUnionSet left: KUExpression, with right: KUExpression) {
    self.init(ExpressionTree(.setOperation(.union, left.tree, right.tree)))
  }

  /// Creates an intersection, `a INTERSECT b`.
  public convenience init(forIntersectSet left: KUExpression, with right: KUExpression) {
    self.init(ExpressionTree(.setOperation(.intersect, left.tree, right.tree)))
  }

  /// Creates a difference, `a MINUS b`.
  public convenience init(forMinusSet left: KUExpression, with right: KUExpression) {
    self.init(ExpressionTree(.setOperation(.minus, left.tree, right.tree)))
  }
}

extension KUExpression {
  /// Returns the value of the expression for an object. `context` binds variables to values or
  /// expressions. Null is nil.
  ///
  /// Linear in the object's keys, and in the tree for most expressions. Throws a diagnostic at the
  /// node that cannot be evaluated, or an `UnknownValueType`.
  public func expressionValue(with object: Any?, context: [String: Any]?) throws -> Any? {
    let variables = BoundVariables(context)
    return try variables.placed(in: tree)
      .value(with: object, substitutionVariables: variables.values).plain
  }

  /// The key path as a text; nil for other expressions. Linear in it.
  public var keyPath: String? {
    if case .keyPath = tree.kind { tree.expressionFormat } else { nil }
  }

  /// The value of a constant; nil for other expressions. Linear in it.
  public var constantValue: Any? {
    if case .constant(let constant) = tree.kind { constant.value.plain } else { nil }
  }

  /// The name of a variable without `$`, or of a subquery's iterator variable; nil for other
  /// expressions. Constant time.
  public var variable: String? {
    switch tree.kind {
    case .variable(let name), .subquery(_, variable: let name, _): name
    default: nil
    }
  }

  /// The selector of a function call, message or index; nil for other expressions. Constant time.
  public var function: String? {
    switch tree.kind {
    case .function(let call): call.selector
    case .message(_, let selector, _): selector
    case .index(_, .at): BuiltInFunction.objectAtIndex.entry.selector
    default: nil
    }
  }

  /// The start of a key path, such as `SELF` for `author.name`, or the target of `FUNCTION`; nil
  /// for other expressions. Constant time.
  public var operand: KUExpression? {
    switch tree.kind {
    case .keyPath(let path): path.base.map { KUExpression($0) } ?? .expressionForEvaluatedObject()
    case .message(let target, _, _): KUExpression(target)
    default: nil
    }
  }

  /// The arguments of a function call, message or index; nil for other expressions. Linear in them.
  public var arguments: [KUExpression]? {
    switch tree.kind {
    case .function(let call): call.arguments.map { KUExpression($0) }
    case .message(_, _, let arguments): arguments.map { KUExpression($0) }
    case .index(let list, .at(let place)): [KUExpression(list), KUExpression(place)]
    default: nil
    }
  }
}

extension KUExpression: Codable {
  /// Decodes an expression. Linear in its text.
  ///
  /// Throws `DecodingError.dataCorrupted` if the data is not an expression.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try ExpressionTree(from: decoder))
  }

  /// Encodes the expression as its tree does, as a text. Linear in it.
  ///
  /// Throws `EncodingError.invalidValue` for an object without identity.
  public func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
}

extension KUExpression {
  /// Returns the expression itself, because it is immutable.
  public func copy() -> Any { self }
}

extension KUExpression: Hashable, CustomStringConvertible {
  /// Returns whether the trees are equal. Linear in the smaller one.
  public static func == (a: KUExpression, b: KUExpression) -> Bool { a.tree == b.tree }

  /// Hashes the tree. Linear in it.
  public func hash(into hasher: inout Hasher) { hasher.combine(tree) }

  /// The canonical format. Linear in the tree.
  public var description: String { tree.expressionFormat }
}

extension KUExpression {
  /// The kind of an expression, with Cocoa's names and raw values.
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
    /// An expression that only Kura has, such as a predicate or a fetch as a value
    case block = 19
    /// `TERNARY(…)`
    case conditional = 20
  }

  /// The kind of the expression.
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
    case .predicate, .fetch, .mapped: .block
    }
  }

  /// The collection: the expressions of an aggregate, or the single expression of a subquery; nil
  /// for other expressions. Linear in the elements of an aggregate, otherwise constant time.
  public var collection: Any? {
    switch tree.kind {
    case .aggregate(let elements): elements.map { KUExpression($0) }
    case .subquery(let collection, _, _): KUExpression(collection)
    default: nil
    }
  }

  /// The predicate of a subquery or a conditional expression; nil for other expressions.
  public var predicate: KUPredicate? {
    switch tree.kind {
    case .subquery(_, _, let predicate), .ternary(let predicate, _, _): KUPredicate(predicate)
    default: nil
    }
  }

  /// The left side of a union, an intersection or a difference; nil for other expressions.
  public var left: KUExpression? { sides.map { KUExpression($0.0) } }

  /// The right side of a union, an intersection or a difference; nil for other expressions.
  public var right: KUExpression? { sides.map { KUExpression($0.1) } }

  /// The branch of a conditional expression for a true predicate; nil for other expressions.
  public var `true`: KUExpression? {
    if case .ternary(_, let value, _) = tree.kind { KUExpression(value) } else { nil }
  }

  /// The branch of a conditional expression for a false predicate; nil for other expressions.
  public var `false`: KUExpression? {
    if case .ternary(_, _, let value) = tree.kind { KUExpression(value) } else { nil }
  }

  private var sides: (ExpressionTree, ExpressionTree)? {
    if case .setOperation(_, let left, let right) = tree.kind { (left, right) } else { nil }
  }
}
