import KuraDiagnostics

// The cursor, read through small functions, so that only their frames hold tokens and cursors.
extension PredicateParser {
  var required: Token { cursor.required }

  var optional: Token { cursor.optional }

  var lastSpan: SourceSpan { cursor.lastSpan }

  @discardableResult
  func take() -> Token { cursor.take() }
}
