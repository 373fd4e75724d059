/// Why values could not be compared, read or computed with, as facts; the sentences are elsewhere.
package enum ValueError: Error, Sendable, Hashable {
  /// `"2" < 3`
  case unordered(Value.Kind, Value.Kind)
  /// `"a" + 1`
  case notANumber(Value.Kind)
  /// `1.5 & 1`
  case notAnInteger(Value)
  /// `1 / 0`
  case divisionByZero
  /// `9223372036854775807 + 1`
  case overflow
  /// `title MATCHES "a("`: what is wrong, and the offset of the character where it is known
  case badPattern(reason: String, offset: Int?)
  /// `title MATCHES "(a+)+$"` for a long title of a: the limit that was hit
  case matchLimit(MatchExcess)
  /// `"1935-13-01"` against a date
  case badDate(DateProblem)
}
