public import Foundation

/// A value that a predicate reads, compares and computes with.
///
///     Value.integer(3) == .double(3)          // true: numbers are equal by value
///     Value.string("が") == .string("か\u{3099}")  // false: other Unicode scalars
public enum Value: Sendable {
  /// `NULL`, also a missing key.
  case null
  /// `YES`, `NO`
  case boolean(Bool)
  /// `3`, `-2`, `0x1F`
  case integer(Int64)
  /// `2.5`, `1e9`
  case double(Double)
  /// `0.1` against a decimal attribute
  case decimal(Decimal)
  /// `"誕生"`
  case string(String)
  /// `"1935-06-11"` against a date attribute
  case date(Timestamp)
  /// `"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"` against a uuid attribute
  case uuid(UUID)
  /// `"https://example.com"` against a uri attribute
  case uri(String)
  /// base64 text against a binary attribute
  case binary([UInt8])
  /// `{1, 2, 3}`
  case list([Value])
  /// `{1, 2} UNION {3}`, the objects of an unordered to-many relationship
  case set(ValueSet)
  /// `{"city": "Kobe"}` in JSON
  case dictionary(ValueDictionary)
  /// `MemoDate/17`
  case object(ObjectReference)
}
