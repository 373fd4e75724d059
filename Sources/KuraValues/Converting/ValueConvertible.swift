public import Foundation

/// A Swift type with values that predicates can read: a string, a number, a date, or a list of
/// them.
///
/// Such values can be arguments of `%@`, values of keys, and right operands:
///
///     try PredicateTree(format: "born > %@", Date.now)
///     Key("title") == title
///
/// An enumeration with raw values only declares the conformance, and is represented by its raw
/// value. If it is `Codable`, `%@` and keys accept it even without a conformance:
///
///     enum Priority: Int, ValueConvertible { case low, high }
///     Key("priority") == Priority.high   // priority == 1
public protocol ValueConvertible {
  /// The value for predicates.
  var predicateValue: Value { get }
}

extension Value: ValueConvertible {
  /// The value itself.
  public var predicateValue: Value { self }
}

extension Value {
  /// Creates a value from any convertible value.
  ///
  ///     Value(["家", "庭"])   // {"家", "庭"}
  public init(_ convertible: some ValueConvertible) { self = convertible.predicateValue }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  /// The wrapped value, or null for nil.
  public var predicateValue: Value { self?.predicateValue ?? .null }
}

extension Array: ValueConvertible where Element: ValueConvertible {
  /// The elements as a list. Linear in the elements.
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension ArraySlice: ValueConvertible where Element: ValueConvertible {
  /// The elements as a list. Linear in the elements.
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension ContiguousArray: ValueConvertible where Element: ValueConvertible {
  /// The elements as a list. Linear in the elements.
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension Dictionary.Keys: ValueConvertible where Key: ValueConvertible {
  /// The keys as a set. Linear in the keys.
  public var predicateValue: KuraValues.Value { .set(ValueSet(map(\.predicateValue))) }
}

extension Dictionary.Values: ValueConvertible where Value: ValueConvertible {
  /// The values as a list, in the dictionary's order. Linear in the values.
  public var predicateValue: KuraValues.Value { .list(map(\.predicateValue)) }
}

extension Set: ValueConvertible where Element: ValueConvertible {
  /// The elements as a set. Elements that are equal for a predicate occur once. Linear in the
  /// elements.
  public var predicateValue: Value { .set(ValueSet(map(\.predicateValue))) }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
  /// The dictionary, sorted by key so that the result is deterministic; n log n in the keys.
  public var predicateValue: KuraValues.Value {
    let pairs = sorted { $0.key < $1.key }
    return .dictionary(ValueDictionary(pairs.map { ($0.key, $0.value.predicateValue) }))
  }
}

extension Bool: ValueConvertible {
  /// The Boolean, `YES` or `NO`.
  public var predicateValue: Value { .boolean(self) }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
  /// The value of the raw value.
  public var predicateValue: Value { rawValue.predicateValue }
}

extension ValueConvertible where Self: FixedWidthInteger {
  /// The integer; a decimal if it does not fit into a signed 64-bit integer.
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
  /// The number as a double.
  public var predicateValue: Value { .double(self) }
}

extension Float: ValueConvertible {
  /// The double with the shortest digits of the number, as in JSON: `Float(0.1)` is 0.1.
  public var predicateValue: Value { .double(Double("\(self)") ?? Double(self)) }
}

extension CGFloat: ValueConvertible {
  /// The number as a double.
  public var predicateValue: Value { .double(Double(self)) }
}

extension Decimal: ValueConvertible {
  /// The number as a decimal.
  public var predicateValue: Value { .decimal(self) }
}

extension String: ValueConvertible {
  /// The string. Constant time.
  public var predicateValue: Value { .string(self) }
}

extension Substring: ValueConvertible {
  /// The text as a string. Linear in it.
  public var predicateValue: Value { .string(String(self)) }
}

extension Character: ValueConvertible {
  /// The character as a string.
  public var predicateValue: Value { .string(String(self)) }
}

extension Timestamp: ValueConvertible {
  /// The date.
  public var predicateValue: Value { .date(self) }
}

extension Date: ValueConvertible {
  /// The date; outside the years 1 to 9999, as for `distantPast`, the nearest date inside.
  public var predicateValue: Value { Timestamp(nearest: self).map(Value.date) ?? .null }
}

extension UUID: ValueConvertible {
  /// The UUID.
  public var predicateValue: Value { .uuid(self) }
}

extension URL: ValueConvertible {
  /// The absolute URL as a URI.
  public var predicateValue: Value { .uri(absoluteString) }
}

extension Data: ValueConvertible {
  /// The binary data. Linear in it.
  public var predicateValue: Value { .binary([UInt8](self)) }
}

extension ObjectReference: ValueConvertible {
  /// The object.
  public var predicateValue: Value { .object(self) }
}
