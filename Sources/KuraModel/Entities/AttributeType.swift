/// The type of an attribute. The raw value is its name in a model.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// A 64-bit integer
  case integer
  /// An integer from -32,768 to 32,767
  case integer16
  /// An integer from -2,147,483,648 to 2,147,483,647
  case integer32
  /// A 64-bit IEEE 754 number
  case double
  /// A 32-bit IEEE 754 number
  case float
  /// A decimal number with 38 digits
  case decimal
  /// Unicode text
  case string
  /// YES or NO
  case boolean
  /// A date in microseconds, in the years 1 to 9999
  case date
  /// A UUID of 128 bits
  case uuid
  /// The text of a URI
  case uri
  /// Bytes
  case binary
  /// Any JSON value
  case json
}

extension AttributeType {
  /// Whether a literal of the type can be a string, like `"1935-06-11"` for a date.
  package var readsStrings: Bool {
    switch self {
    case .string, .date, .uuid, .uri, .binary, .decimal: true
    case .integer, .integer16, .integer32, .double, .float, .boolean, .json: false
    }
  }

  /// Whether `min` and `max` apply: to the value, or to the length of a string.
  package var hasBounds: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal, .date, .string: true
    case .boolean, .uuid, .uri, .binary, .json: false
    }
  }

  /// The type of `min` and `max`: an integer for the length of a string.
  package var boundType: AttributeType { self == .string ? .integer : self }

  /// Whether the values are numbers.
  package var isNumeric: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal: true
    case .boolean, .string, .date, .uuid, .uri, .binary, .json: false
    }
  }

  /// The range of an integer type; nil for other types.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer: .min ... .max
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .double, .float, .decimal, .string, .boolean, .date, .uuid, .uri, .binary, .json: nil
    }
  }
}
