public import KuraValues

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
