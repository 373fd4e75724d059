import KuraDiagnostics
package import KuraValues

/// Why a text or a JSON value is none of an attribute's type.
package enum ValueMismatch: Error, Sendable, Hashable, DiagnosticFacts {
  /// `true` against a date
  case kind(AttributeType, found: JSONKind)
  /// A date against a string
  case typed(AttributeType, found: AttributeType)
  /// `70000` against an integer16, `1e999` against a double, 40 digits against a decimal
  case outOfRange(AttributeType, digits: String)
  /// `2.5` against an integer
  case fraction(AttributeType, digits: String)
  /// `"1935-13-01"` against a date
  case date(DateProblem, text: String)
  /// `"x"` against a uuid
  case unreadable(AttributeType, text: String)
}

/// The kinds of JSON value, for messages.
package enum JSONKind: Sendable, Hashable {
  /// `null`
  case null
  /// `true`
  case boolean
  /// `3`
  case number
  /// `"x"`
  case string
  /// `[]`
  case array
  /// `{}`
  case object
}
