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
