public import KuraValues

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
