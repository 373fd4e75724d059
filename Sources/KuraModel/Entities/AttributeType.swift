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
