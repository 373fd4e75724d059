public import KuraValues

/// A side of a comparison in Swift: a key path, or an expression computed from one.
///
///     let wanted = Key("title") == "x" && Key("priority") >= 3
///     wanted.predicateFormat   // title == "x" AND priority >= 3
///
///     Key("children.age").any < 18               // ANY children.age < 18
///     Key("title").contains("誕生", options: .cd)  // title CONTAINS[cd] "誕生"
///     Key("price") * 2 > Key("@max.offers.price")
///
/// A path has the form that `%K` accepts: keys separated by dots, with `@` before a collection
/// operator. It can also begin with a variable, as in `$i.done`.
public struct Key: Sendable {
  /// The expression.
  public var expression: ExpressionTree
  /// Whether a comparison with this key on the left applies ANY or ALL to its elements.
  public var modifier: ComparisonModifier

  /// Creates a key from an expression.
  public init(_ expression: ExpressionTree, modifier: ComparisonModifier = .direct) {
    self.expression = expression
    self.modifier = modifier
  }

  /// Creates a key path from keys separated by dots. The first can be `SELF` or a `$variable`.
  public init(_ path: String) {
    let parts = path.split(separator: ".").map { Key.component(String($0)) }
    let base = parts.first.flatMap(Key.base)
    let keys = base == nil ? parts : Array(parts.dropFirst())
    if let base, keys.isEmpty {
      self.init(base)
    } else {
      self.init(ExpressionTree(.keyPath(KeyPathTree(base: base, keys))))
    }
  }

  private static func base(_ first: KeyComponent) -> ExpressionTree? {
    switch first.kind {
    case .variable: ExpressionTree(.variable(first.name))
    case .key where first.name == "SELF": ExpressionTree(.evaluatedObject)
    case .key, .collectionOperator: nil
    }
  }

  private static func component(_ text: String) -> KeyComponent {
    switch text.first {
    case "@"? where text.count > 1: KeyComponent(String(text.dropFirst()), .collectionOperator)
    case "$"? where text.count > 1: KeyComponent(String(text.dropFirst()), .variable)
    default: KeyComponent(text)
    }
  }
}

extension Key {
  /// `SELF`
  public static let evaluatedObject = Key(ExpressionTree(.evaluatedObject))

  /// Returns a value as a key, such as `3` or `"誕生"`, for expressions in which an operator cannot
  /// convert it.
  public static func value(_ value: some ValueConvertible) -> Key {
    Key(ExpressionTree(.constant(Constant(value.predicateValue))))
  }

  /// Returns a function call such as `abs(balance)`. The function is a selector or name of
  /// ``FunctionCatalogue``.
  ///
  ///     Key.call("abs", Key("balance")) > 100
  ///
  /// Linear in the arguments.
  public static func call(_ function: String, _ arguments: Key...) -> Key {
    let selector = PredicateFunction.called(function)?.selector ?? function
    return Key(ExpressionTree(.function(FunctionCall(selector, arguments.map(\.expression)))))
  }

  /// `ANY children.age`, for the left side of a comparison.
  public var any: Key { Key(expression, modifier: .any) }

  /// `ALL children.age`, for the left side of a comparison.
  public var all: Key { Key(expression, modifier: .all) }

  /// `items.@count`
  public var count: Key { appending(KeyComponent("count", .collectionOperator)) }

  /// Returns the subquery `SUBQUERY(items, $i, $i.done == NO)`.
  ///
  ///     Key("items").subquery("i", where: Key("$i.done") == false).count > 2
  public func subquery(_ variable: String, where predicate: PredicateTree) -> Key {
    Key(ExpressionTree(.subquery(expression, variable: variable, predicate)))
  }

  private func appending(_ component: KeyComponent) -> Key {
    guard case .keyPath(var path) = expression.kind else {
      return Key(ExpressionTree(.keyPath(KeyPathTree(base: expression, [component]))))
    }
    path.components.append(component)
    return Key(ExpressionTree(.keyPath(path)))
  }
}

extension ComparisonOptions {
  /// `[c]`: ignores case and width.
  public static let c = ComparisonOptions.caseInsensitive
  /// `[d]`: ignores diacritics and width.
  public static let d = ComparisonOptions.diacriticInsensitive
  /// `[cd]`: ignores case, diacritics and width.
  public static let cd: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
}

// Each operator has three forms, for literals and nil, for Swift values, and for other keys.
// Concrete types on the left keep type checking fast, and leave the operators of other types alone.

extension Key {
  /// Returns the comparison `title == "x"`.
  public static func == (left: Key, right: Value) -> PredicateTree {
    left.compared(.equal, Key.value(right))
  }

  /// Returns the comparison `title != "x"`.
  public static func != (left: Key, right: Value) -> PredicateTree {
    left.compared(.notEqual, Key.value(right))
  }

  /// Returns the comparison `age < 18`.
  public static func < (left: Key, right: Value) -> PredicateTree {
    left.compared(.less, Key.value(right))
  }

  /// Returns the comparison `age <= 18`.
  public static func <= (left: Key, right: Value) -> PredicateTree {
    left.compared(.lessOrEqual, Key.value(right))
  }

  /// Returns the comparison `age > 18`.
  public static func > (left: Key, right: Value) -> PredicateTree {
    left.compared(.greater, Key.value(right))
  }

  /// Returns the comparison `age >= 18`.
  public static func >= (left: Key, right: Value) -> PredicateTree {
    left.compared(.greaterOrEqual, Key.value(right))
  }
}

extension Key {
  /// Returns the comparison `title == name`.
  public static func == (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.equal, Key.value(right))
  }

  /// Returns the comparison `title != name`.
  public static func != (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.notEqual, Key.value(right))
  }

  /// Returns the comparison `age < limit`.
  public static func < (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.less, Key.value(right))
  }

  /// Returns the comparison `age <= limit`.
  public static func <= (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.lessOrEqual, Key.value(right))
  }

  /// Returns the comparison `age > limit`.
  public static func > (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.greater, Key.value(right))
  }

  /// Returns the comparison `age >= limit`.
  public static func >= (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.greaterOrEqual, Key.value(right))
  }
}

extension Key {
  /// Returns the comparison `title == other`.
  public static func == (left: Key, right: Key) -> PredicateTree {
    left.compared(.equal, right)
  }

  /// Returns the comparison `title != other`.
  public static func != (left: Key, right: Key) -> PredicateTree {
    left.compared(.notEqual, right)
  }

  /// Returns the comparison `age < limit`.
  public static func < (left: Key, right: Key) -> PredicateTree {
    left.compared(.less, right)
  }

  /// Returns the comparison `age <= limit`.
  public static func <= (left: Key, right: Key) -> PredicateTree {
    left.compared(.lessOrEqual, right)
  }

  /// Returns the comparison `age > limit`.
  public static func > (left: Key, right: Key) -> PredicateTree {
    left.compared(.greater, right)
  }

  /// Returns the comparison `age >= limit`.
  public static func >= (left: Key, right: Key) -> PredicateTree {
    left.compared(.greaterOrEqual, right)
  }
}

extension Key {
  /// Returns a comparison with this key on the left. ANY and ALL apply to the left side.
  ///
  ///     Key("title").compared(.contains, Key("name"), options: .cd)   // title CONTAINS[cd] name
  public func compared(
    _ operation: ComparisonOperator, _ right: Key, options: ComparisonOptions = []
  ) -> PredicateTree {
    PredicateTree(
      .comparison(
        Comparison(
          expression, operation, options: options, right.expression, modifier: modifier)))
  }

  /// Returns the comparison `title CONTAINS[cd] "誕生"`.
  public func contains(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.contains, .value(value), options: options) }

  /// Returns the comparison `title BEGINSWITH "父"`.
  public func beginsWith(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.beginsWith, .value(value), options: options) }

  /// Returns the comparison `title ENDSWITH "日"`.
  public func endsWith(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.endsWith, .value(value), options: options) }

  /// Returns the comparison `title LIKE "*の?生日"`.
  public func isLike(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.like, .value(value), options: options) }

  /// Returns the comparison `title MATCHES ".+[0-9]"`.
  public func matches(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.matches, .value(value), options: options) }

  /// Returns the comparison `category IN {"Private", "Office"}`.
  public func isIn(
    _ values: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.in, .value(values), options: options) }

  /// Returns the comparison `title IN names`, `"家" IN tags`.
  public func isIn(_ collection: Key, options: ComparisonOptions = []) -> PredicateTree {
    compared(.in, collection, options: options)
  }

  /// Returns the comparison `age BETWEEN {13, 19}`, which includes both bounds.
  public func isBetween(
    _ low: some ValueConvertible, and high: some ValueConvertible
  ) -> PredicateTree {
    compared(.between, .value([low.predicateValue, high.predicateValue]))
  }
}

extension Key {
  /// Returns the expression `price + 2`.
  public static func + (left: Key, right: some ValueConvertible) -> Key {
    left + Key.value(right)
  }

  /// Returns the expression `price + other`.
  public static func + (left: Key, right: Key) -> Key { computed(.add, left, right) }
}

extension Key {
  /// Returns the expression `price - 2`.
  public static func - (left: Key, right: some ValueConvertible) -> Key {
    left - Key.value(right)
  }

  /// Returns the expression `price - other`.
  public static func - (left: Key, right: Key) -> Key { computed(.subtract, left, right) }
}

extension Key {
  /// Returns the expression `price * 2`.
  public static func * (left: Key, right: some ValueConvertible) -> Key {
    left * Key.value(right)
  }

  /// Returns the expression `price * other`.
  public static func * (left: Key, right: Key) -> Key { computed(.multiply, left, right) }
}

extension Key {
  /// Returns the expression `price / 2`.
  public static func / (left: Key, right: some ValueConvertible) -> Key {
    left / Key.value(right)
  }

  /// Returns the expression `price / other`.
  public static func / (left: Key, right: Key) -> Key { computed(.divide, left, right) }
}

extension Key {
  private static func computed(_ function: BuiltInFunction, _ left: Key, _ right: Key) -> Key {
    let call = FunctionCall(function, [left.expression, right.expression])
    return Key(ExpressionTree(.function(call)))
  }
}
