extension TypedKey {
  private func predicate(_ tree: PredicateTree) -> TypedPredicate<Root> {
    TypedPredicate(tree: tree, readers: [name: reader])
  }
}

extension TypedKey {
  /// `title == "x"`
  public static func == (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key == right)
  }

  /// `title != "x"`
  public static func != (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key != right)
  }

  /// `title < "x"`
  public static func < (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key < right)
  }

  /// `title <= "x"`
  public static func <= (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key <= right)
  }

  /// `title > "x"`
  public static func > (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key > right)
  }

  /// `title >= "x"`
  public static func >= (left: TypedKey, right: Value) -> TypedPredicate<Root> {
    left.predicate(left.key >= right)
  }

  /// Whether it is one of these. Linear in the values.
  public func isIn(_ values: [Value], options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.isIn(values, options: options))
  }

  /// From the first to the second, both of which belong to it.
  public func isBetween(_ low: Value, and high: Value) -> TypedPredicate<Root> {
    predicate(key.isBetween(low, and: high))
  }
}

extension TypedKey where Value: TextOrNil {
  /// `title CONTAINS "誕生"`
  public func contains(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.contains(text, options: options))
  }

  /// `title BEGINSWITH "父"`
  public func beginsWith(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.beginsWith(text, options: options))
  }

  /// `title ENDSWITH "日"`
  public func endsWith(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.endsWith(text, options: options))
  }

  /// `title LIKE "*の?生日"`
  public func isLike(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.isLike(text, options: options))
  }

  /// `title MATCHES ".+[0-9]"`
  public func matches(_ text: String, options: ComparisonOptions = []) -> TypedPredicate<Root> {
    predicate(key.matches(text, options: options))
  }
}

/// What text operators ask: a string, or an optional one.
public protocol TextOrNil {}

extension String: TextOrNil {}
extension Substring: TextOrNil {}
extension Optional: TextOrNil where Wrapped: TextOrNil {}
