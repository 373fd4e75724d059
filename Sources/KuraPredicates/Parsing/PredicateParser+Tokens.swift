package import KuraDiagnostics

// The cursor, read through small functions, so that only their frames hold tokens and cursors.
extension PredicateParser {
  package var required: Token { cursor.required }

  package var optional: Token { cursor.optional }

  package var lastSpan: SourceSpan { cursor.lastSpan }

  @discardableResult
  package func take() -> Token { cursor.take() }
}
