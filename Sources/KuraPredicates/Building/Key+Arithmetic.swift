public import KuraValues

extension Key {
  /// `price + 2`
  public static func + (left: Key, right: some ValueConvertible) -> Key {
    left + Key.value(right)
  }

  /// `price + other`
  public static func + (left: Key, right: Key) -> Key { computed("add:to:", left, right) }
}

extension Key {
  /// `price - 2`
  public static func - (left: Key, right: some ValueConvertible) -> Key {
    left - Key.value(right)
  }

  /// `price - other`
  public static func - (left: Key, right: Key) -> Key { computed("from:subtract:", left, right) }
}

extension Key {
  /// `price * 2`
  public static func * (left: Key, right: some ValueConvertible) -> Key {
    left * Key.value(right)
  }

  /// `price * other`
  public static func * (left: Key, right: Key) -> Key { computed("multiply:by:", left, right) }
}

extension Key {
  /// `price / 2`
  public static func / (left: Key, right: some ValueConvertible) -> Key {
    left / Key.value(right)
  }

  /// `price / other`
  public static func / (left: Key, right: Key) -> Key { computed("divide:by:", left, right) }
}

extension Key {
  private static func computed(_ selector: String, _ left: Key, _ right: Key) -> Key {
    let call = FunctionCall(selector, [left.expression, right.expression])
    return Key(ExpressionTree(.function(call)))
  }
}
