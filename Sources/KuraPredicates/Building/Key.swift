public import KuraValues

/// What stands on a side of a comparison written in Swift: a key path, or what is computed of one.
///
///     let wanted = Key("title") == "x" && Key("priority") >= 3
///     wanted.predicateFormat   // title == "x" AND priority >= 3
///
///     Key("children.age").any < 18               // ANY children.age < 18
///     Key("title").contains("誕生", options: .cd)  // title CONTAINS[cd] "誕生"
///     Key("price") * 2 > Key("@max.offers.price")
///
/// A path is written as `%K` takes it, keys between dots, `@` before a collection operator; it may
/// also begin with a variable, `$i.done`.
public struct Key: Sendable {
  /// The expression.
  public var expression: ExpressionTree
  /// Whether a comparison with it on the left asks ANY or ALL of its elements.
  public var modifier: ComparisonModifier

  /// Makes a side of an expression.
  public init(_ expression: ExpressionTree, modifier: ComparisonModifier = .direct) {
    self.expression = expression
    self.modifier = modifier
  }

  /// Makes a key path from its keys between dots, the first of which may be `SELF` or a `$variable`.
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

  /// `3`, `"誕生"`: a value where an operator cannot make one.
  public static func value(_ value: some ValueConvertible) -> Key {
    Key(ExpressionTree(.constant(Constant(value.predicateValue))))
  }

  /// `abs(balance)`, by the function's selector or name in ``FunctionCatalogue``.
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

  /// `SUBQUERY(items, $i, $i.done == 0)`
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
  /// `[c]`: case and width do not count.
  public static let c = ComparisonOptions.caseInsensitive
  /// `[d]`: diacritics and width do not count.
  public static let d = ComparisonOptions.diacriticInsensitive
  /// `[cd]`: neither case nor diacritics count.
  public static let cd: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
}

// Three of each: literals and nil, Swift's own values, other keys. Concrete types on the left keep
// the compiler quick, and nobody else's operators change.

extension Key {
  /// `title == "x"`
  public static func == (left: Key, right: Value) -> PredicateTree {
    left.compared(.equal, Key.value(right))
  }

  /// `title != "x"`
  public static func != (left: Key, right: Value) -> PredicateTree {
    left.compared(.notEqual, Key.value(right))
  }

  /// `age < 18`
  public static func < (left: Key, right: Value) -> PredicateTree {
    left.compared(.less, Key.value(right))
  }

  /// `age <= 18`
  public static func <= (left: Key, right: Value) -> PredicateTree {
    left.compared(.lessOrEqual, Key.value(right))
  }

  /// `age > 18`
  public static func > (left: Key, right: Value) -> PredicateTree {
    left.compared(.greater, Key.value(right))
  }

  /// `age >= 18`
  public static func >= (left: Key, right: Value) -> PredicateTree {
    left.compared(.greaterOrEqual, Key.value(right))
  }
}

extension Key {
  /// `title == name`
  public static func == (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.equal, Key.value(right))
  }

  /// `title != name`
  public static func != (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.notEqual, Key.value(right))
  }

  /// `age < limit`
  public static func < (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.less, Key.value(right))
  }

  /// `age <= limit`
  public static func <= (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.lessOrEqual, Key.value(right))
  }

  /// `age > limit`
  public static func > (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.greater, Key.value(right))
  }

  /// `age >= limit`
  public static func >= (left: Key, right: some ValueConvertible) -> PredicateTree {
    left.compared(.greaterOrEqual, Key.value(right))
  }
}

extension Key {
  /// `title == other`
  public static func == (left: Key, right: Key) -> PredicateTree {
    left.compared(.equal, right)
  }

  /// `title != other`
  public static func != (left: Key, right: Key) -> PredicateTree {
    left.compared(.notEqual, right)
  }

  /// `age < limit`
  public static func < (left: Key, right: Key) -> PredicateTree {
    left.compared(.less, right)
  }

  /// `age <= limit`
  public static func <= (left: Key, right: Key) -> PredicateTree {
    left.compared(.lessOrEqual, right)
  }

  /// `age > limit`
  public static func > (left: Key, right: Key) -> PredicateTree {
    left.compared(.greater, right)
  }

  /// `age >= limit`
  public static func >= (left: Key, right: Key) -> PredicateTree {
    left.compared(.greaterOrEqual, right)
  }
}

extension Key {
  /// The comparison with this on the left, which is where ANY and ALL count.
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

  /// `title CONTAINS[cd] "誕生"`
  public func contains(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.contains, .value(value), options: options) }

  /// `title BEGINSWITH "父"`
  public func beginsWith(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.beginsWith, .value(value), options: options) }

  /// `title ENDSWITH "日"`
  public func endsWith(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.endsWith, .value(value), options: options) }

  /// `title LIKE "*の?生日"`
  public func isLike(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.like, .value(value), options: options) }

  /// `title MATCHES ".+[0-9]"`
  public func matches(
    _ value: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.matches, .value(value), options: options) }

  /// `category IN {"Private", "Office"}`
  public func isIn(
    _ values: some ValueConvertible, options: ComparisonOptions = []
  ) -> PredicateTree { compared(.in, .value(values), options: options) }

  /// `title IN names`, `"家" IN tags`
  public func isIn(_ collection: Key, options: ComparisonOptions = []) -> PredicateTree {
    compared(.in, collection, options: options)
  }

  /// `age BETWEEN {13, 19}`; both bounds belong to it
  public func isBetween(
    _ low: some ValueConvertible, and high: some ValueConvertible
  ) -> PredicateTree {
    compared(.between, .value([low.predicateValue, high.predicateValue]))
  }
}

extension Key {
  /// `price + 2`
  public static func + (left: Key, right: some ValueConvertible) -> Key {
    left + Key.value(right)
  }

  /// `price + other`
  public static func + (left: Key, right: Key) -> Key { computed(.add, left, right) }
}

extension Key {
  /// `price - 2`
  public static func - (left: Key, right: some ValueConvertible) -> Key {
    left - Key.value(right)
  }

  /// `price - other`
  public static func - (left: Key, right: Key) -> Key { computed(.subtract, left, right) }
}

extension Key {
  /// `price * 2`
  public static func * (left: Key, right: some ValueConvertible) -> Key {
    left * Key.value(right)
  }

  /// `price * other`
  public static func * (left: Key, right: Key) -> Key { computed(.multiply, left, right) }
}

extension Key {
  /// `price / 2`
  public static func / (left: Key, right: some ValueConvertible) -> Key {
    left / Key.value(right)
  }

  /// `price / other`
  public static func / (left: Key, right: Key) -> Key { computed(.divide, left, right) }
}

extension Key {
  private static func computed(_ function: PredicateFunction, _ left: Key, _ right: Key) -> Key {
    let call = FunctionCall(function, [left.expression, right.expression])
    return Key(ExpressionTree(.function(call)))
  }
}
