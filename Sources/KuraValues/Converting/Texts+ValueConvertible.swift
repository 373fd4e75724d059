public import Foundation

extension String: ValueConvertible {
  /// A string.
  public var predicateValue: Value { .string(self) }
}

extension Substring: ValueConvertible {
  /// A string.
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
  /// Binary data.
  public var predicateValue: Value { .binary([UInt8](self)) }
}

extension ObjectReference: ValueConvertible {
  /// An object.
  public var predicateValue: Value { .object(self) }
}
