/// The type of an attribute, by the word that names it in a model.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// 64 bits
  case integer
  /// -32,768 to 32,767
  case integer16
  /// -2,147,483,648 to 2,147,483,647
  case integer32
  /// IEEE 754, 64 bits
  case double
  /// IEEE 754, 32 bits
  case float
  /// 38 digits
  case decimal
  /// Unicode text
  case string
  /// YES or NO
  case boolean
  /// Microseconds, years 1 to 9999
  case date
  /// 128 bits
  case uuid
  /// A URI's text
  case uri
  /// Bytes
  case binary
  /// Any JSON value
  case json
}

extension AttributeType {
  /// Whether a literal of the type is written as a string: `"1935-06-11"` against a date.
  package var readsStrings: Bool {
    switch self {
    case .string, .date, .uuid, .uri, .binary, .decimal: true
    case .integer, .integer16, .integer32, .double, .float, .boolean, .json: false
    }
  }

  /// Whether `min` and `max` mean something: the value's bounds, or a string's length.
  package var hasBounds: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal, .date, .string: true
    case .boolean, .uuid, .uri, .binary, .json: false
    }
  }

  /// The type as which `min` and `max` are read: a length is an integer.
  package var boundType: AttributeType { self == .string ? .integer : self }

  /// Whether it holds numbers.
  package var isNumeric: Bool {
    switch self {
    case .integer, .integer16, .integer32, .double, .float, .decimal: true
    case .boolean, .string, .date, .uuid, .uri, .binary, .json: false
    }
  }

  /// The integers it holds, or nil for other types.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer: .min ... .max
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .double, .float, .decimal, .string, .boolean, .date, .uuid, .uri, .binary, .json: nil
    }
  }
}
