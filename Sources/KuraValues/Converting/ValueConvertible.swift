public import Foundation

/// A Swift type whose values a predicate can read: a string, a number, a date, a list of them.
///
/// `%@` takes such values, keys give them, and they stand on the right of an operator:
///
///     try PredicateTree(format: "born > %@", Date.now)
///     Key("title") == title
///
/// An enumeration with raw values only says that it is one, and stands for these; where it is `Codable`,
/// `%@` and keys need not even that:
///
///     enum Priority: Int, ValueConvertible { case low, high }
///     Key("priority") == Priority.high   // priority == 1
public protocol ValueConvertible {
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
  /// A list. Linear in the elements.
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension ArraySlice: ValueConvertible where Element: ValueConvertible {
  /// A list. Linear in the elements.
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension ContiguousArray: ValueConvertible where Element: ValueConvertible {
  /// A list. Linear in the elements.
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension Dictionary.Keys: ValueConvertible where Key: ValueConvertible {
  /// A set. Linear in the keys.
  public var predicateValue: KuraValues.Value { .set(ValueSet(map(\.predicateValue))) }
}

extension Dictionary.Values: ValueConvertible where Value: ValueConvertible {
  /// A list, in the dictionary's order. Linear in the values.
  public var predicateValue: KuraValues.Value { .list(map(\.predicateValue)) }
}

extension Set: ValueConvertible where Element: ValueConvertible {
  /// A set, in which of values that a predicate takes for equal one stays. Linear in the elements.
  public var predicateValue: Value { .set(ValueSet(map(\.predicateValue))) }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
  /// A dictionary in the order of its keys, so that it is the same each time; n log n in the keys.
  public var predicateValue: KuraValues.Value {
    let pairs = sorted { $0.key < $1.key }
    return .dictionary(ValueDictionary(pairs.map { ($0.key, $0.value.predicateValue) }))
  }
}

extension Bool: ValueConvertible {
  /// `YES` or `NO`
  public var predicateValue: Value { .boolean(self) }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
  /// The raw value.
  public var predicateValue: Value { rawValue.predicateValue }
}

extension ValueConvertible where Self: FixedWidthInteger {
  /// An integer; beyond 64 bits with a sign a decimal.
  public var predicateValue: Value {
    Int64(exactly: self).map(Value.integer) ?? .decimal(Decimal(string: "\(self)") ?? .nan)
  }
}

extension Int: ValueConvertible {}
extension Int8: ValueConvertible {}
extension Int16: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt8: ValueConvertible {}
extension UInt16: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}
extension Int128: ValueConvertible {}
extension UInt128: ValueConvertible {}

extension Double: ValueConvertible {
  /// A double.
  public var predicateValue: Value { .double(self) }
}

extension Float: ValueConvertible {
  /// The double that its shortest digits say: `Float(0.1)` is 0.1, as JSON would have it.
  public var predicateValue: Value { .double(Double("\(self)") ?? Double(self)) }
}

extension CGFloat: ValueConvertible {
  /// A double.
  public var predicateValue: Value { .double(Double(self)) }
}

extension Decimal: ValueConvertible {
  /// A decimal.
  public var predicateValue: Value { .decimal(self) }
}

extension String: ValueConvertible {
  /// A string. Constant time.
  public var predicateValue: Value { .string(self) }
}

extension Substring: ValueConvertible {
  /// A string. Linear in it.
  public var predicateValue: Value { .string(String(self)) }
}

extension Character: ValueConvertible {
  /// A string.
  public var predicateValue: Value { .string(String(self)) }
}

extension Timestamp: ValueConvertible {
  /// A date.
  public var predicateValue: Value { .date(self) }
}

extension Date: ValueConvertible {
  /// A date; one outside the years 1 to 9999 is the nearest within, as `distantPast` is.
  public var predicateValue: Value { Timestamp(nearest: self).map(Value.date) ?? .null }
}

extension UUID: ValueConvertible {
  /// A UUID.
  public var predicateValue: Value { .uuid(self) }
}

extension URL: ValueConvertible {
  /// A URI, by its absolute text.
  public var predicateValue: Value { .uri(absoluteString) }
}

extension Data: ValueConvertible {
  /// Binary data. Linear in it.
  public var predicateValue: Value { .binary([UInt8](self)) }
}

extension ObjectReference: ValueConvertible {
  /// An object.
  public var predicateValue: Value { .object(self) }
}
