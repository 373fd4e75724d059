import Foundation
public import KuraPredicates
import KuraValues

/// An expression in the shape of `NSExpression`.
///
///     try KUExpression(format: "price * %@", 2).expressionValue(with: ["price": 3], context: nil)   // 6
public final class KUExpression: Sendable {
  /// The expression as a tree.
  public let tree: ExpressionTree

  /// Makes an expression of a tree.
  public init(_ tree: ExpressionTree) { self.tree = tree }

  /// Reads a format with its arguments.
  ///
  /// Linear. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  public convenience init(format: String, _ arguments: Any?...) throws {
    try self.init(
      format: format, argumentArray: arguments.map { argument -> Any in argument ?? NSNull() })
  }

  /// Reads a format with a list of arguments.
  ///
  /// Linear. Throws a diagnostic whose span lies in the format, or an `UnknownValueType`.
  public init(format: String, argumentArray: [Any]) throws {
    tree = try ExpressionTree(format: format, argumentArray: argumentArray.map(tree(of:)))
  }
}

extension KUExpression {
  /// `3`, `"誕生"`; linear in the value. Throws an `UnknownValueType` for a value that predicates do
  /// not know.
  public convenience init(forConstantValue value: Any?) throws {
    self.init(
      ExpressionTree(.constant(Constant(try value.map(Value.init(untyped:)) ?? .null))))
  }

  /// `author.name`, `items.@count`
  public convenience init(forKeyPath path: String) { self.init(Key(path).expression) }

  /// `$name`
  public convenience init(forVariable name: String) { self.init(ExpressionTree(.variable(name))) }

  /// `SELF`
  public static func expressionForEvaluatedObject() -> KUExpression {
    KUExpression(Key.evaluatedObject.expression)
  }

  /// `sum:(…)`, by the function's selector or name; `list[0]` for `objectFrom:withIndex:`.
  ///
  /// Linear in the arguments.
  public convenience init(forFunction name: String, arguments: [KUExpression]) {
    let selector = FunctionCatalogue.signature(called: name)?.selector ?? name
    guard selector == Self.indexSelector, arguments.count == 2 else {
      self.init(ExpressionTree(.function(FunctionCall(selector, arguments.map(\.tree)))))
      return
    }
    self.init(ExpressionTree(.index(arguments[0].tree, .at(arguments[1].tree))))
  }

  private static let indexSelector = "objectFrom:withIndex:"

  /// `FUNCTION(target, "selector", …)`; linear in the arguments
  public convenience init(
    forFunction target: KUExpression, selectorName: String, arguments: [KUExpression]?
  ) {
    self.init(
      ExpressionTree(
        .message(
          target: target.tree, selector: selectorName, arguments: (arguments ?? []).map(\.tree))))
  }

  /// `{a, b}`; linear in the elements
  public convenience init(forAggregate expressions: [KUExpression]) {
    self.init(ExpressionTree(.aggregate(expressions.map(\.tree))))
  }

  /// `SUBQUERY(items, $i, …)`
  public convenience init(
    forSubquery collection: KUExpression, usingIteratorVariable variable: String,
    predicate: KUPredicate
  ) {
    self.init(ExpressionTree(.subquery(collection.tree, variable: variable, predicate.tree)))
  }

  /// `TERNARY(predicate, a, b)`
  public convenience init(
    forConditional predicate: KUPredicate, trueExpression: KUExpression,
    falseExpression: KUExpression
  ) {
    self.init(ExpressionTree(.ternary(predicate.tree, trueExpression.tree, falseExpression.tree)))
  }

  /// `a UNION b`
  public convenience init(forUnionSet left: KUExpression, with right: KUExpression) {
    self.init(ExpressionTree(.setOperation(.union, left.tree, right.tree)))
  }

  /// `a INTERSECT b`
  public convenience init(forIntersectSet left: KUExpression, with right: KUExpression) {
    self.init(ExpressionTree(.setOperation(.intersect, left.tree, right.tree)))
  }

  /// `a MINUS b`
  public convenience init(forMinusSet left: KUExpression, with right: KUExpression) {
    self.init(ExpressionTree(.setOperation(.minus, left.tree, right.tree)))
  }
}

extension KUExpression {
  /// What the expression is worth for something, with values for its variables, or expressions; nil
  /// for null.
  ///
  /// Linear in the object's keys, and in the tree for most expressions. Throws a diagnostic at the node
  /// that cannot be evaluated, or an `UnknownValueType`.
  public func expressionValue(with object: Any?, context: [String: Any]?) throws -> Any? {
    let variables = BoundVariables(context)
    return try variables.placed(in: tree)
      .value(with: object, substitutionVariables: variables.values).plain
  }

  /// The keys between dots; nil where it is no key path. Linear in them.
  public var keyPath: String? {
    if case .keyPath = tree.kind { tree.expressionFormat } else { nil }
  }

  /// The value; nil where it is none. Linear in it.
  public var constantValue: Any? {
    if case .constant(let constant) = tree.kind { constant.value.plain } else { nil }
  }

  /// The name without `$` of a variable, or of a subquery's own; nil of anything else. Constant
  /// time.
  public var variable: String? {
    switch tree.kind {
    case .variable(let name), .subquery(_, variable: let name, _): name
    default: nil
    }
  }

  /// The selector; nil where it calls nothing. Constant time.
  public var function: String? {
    switch tree.kind {
    case .function(let call): call.selector
    case .message(_, let selector, _): selector
    case .index(_, .at): Self.indexSelector
    default: nil
    }
  }

  /// What a key path begins at, `SELF` for `author.name`, and what `FUNCTION` calls; nil of anything else.
  /// Constant time.
  public var operand: KUExpression? {
    switch tree.kind {
    case .keyPath(let path): path.base.map { KUExpression($0) } ?? .expressionForEvaluatedObject()
    case .message(let target, _, _): KUExpression(target)
    default: nil
    }
  }

  /// The arguments of a function; nil where it calls nothing. Linear in them.
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
  /// Reads a kept expression. Linear in its text.
  ///
  /// Throws `DecodingError.dataCorrupted` for what is none.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try ExpressionTree(from: decoder))
  }

  /// Keeps the expression as its tree is kept, by its text. Linear in it.
  ///
  /// Throws `EncodingError.invalidValue` for an object without identity.
  public func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
}

extension KUExpression {
  /// The expression itself, which does not change.
  public func copy() -> Any { self }
}

extension KUExpression: Hashable, CustomStringConvertible {
  /// Equal by their trees. Linear in the smaller one.
  public static func == (a: KUExpression, b: KUExpression) -> Bool { a.tree == b.tree }

  /// Hashes the tree. Linear in it.
  public func hash(into hasher: inout Hasher) { hasher.combine(tree) }

  /// The canonical text. Linear in the tree.
  public var description: String { tree.expressionFormat }
}

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
