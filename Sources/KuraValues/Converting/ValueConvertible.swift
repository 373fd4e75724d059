/// A Swift type whose values a predicate can read: a string, a number, a date, a list of them.
///
/// `%@` takes such values, keys give them, and they stand on the right of an operator:
///
///     try PredicateTree(format: "born > %@", Date.now)
///     Key("title") == title
///
/// An enumeration that is `Codable` needs none of this; one that is not says what it stands for:
///
///     extension Weekday: ValueConvertible { var predicateValue: Value { .integer(Int64(rawValue)) } }
public protocol ValueConvertible: Sendable {
  /// The value as a predicate sees it.
  var predicateValue: Value { get }
}

extension Value: ValueConvertible {
  /// Itself.
  public var predicateValue: Value { self }
}

extension Value {
  /// The value of anything that can be one.
  ///
  ///     Value(["家", "庭"])   // {"家", "庭"}
  public init(_ convertible: some ValueConvertible) { self = convertible.predicateValue }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  /// Null for nil.
  public var predicateValue: Value { self?.predicateValue ?? .null }
}

extension Array: ValueConvertible where Element: ValueConvertible {
  /// A list.
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension Set: ValueConvertible where Element: ValueConvertible {
  /// A set, in which of values that a predicate takes for equal one stays.
  public var predicateValue: Value { .set(ValueSet(map(\.predicateValue))) }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
  /// A dictionary in the order of its keys, so that it is the same each time.
  public var predicateValue: KuraValues.Value {
    let pairs = sorted { $0.key < $1.key }
    return .dictionary(ValueDictionary(pairs.map { ($0.key, $0.value.predicateValue) }))
  }
}
