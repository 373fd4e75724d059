/// A value in the form in which a column holds it.
package enum StoredCell: Sendable, Equatable {
  case null
  /// integers; dates as microseconds
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// texts, and the canonical text of decimal, uuid, uri, binary and json values
  case text(String)
  /// a row of the destination's table
  case link(UInt32)
  case links([UInt32])
}
