package import KuraDiagnostics

// The cursor, read through small functions, so that only their frames hold tokens and cursors.
extension PredicateParser {
  package var required: Token { cursor.required }

  /// As the cursor says it; asked in two steps, of which neither copies the cursor.
  package var optional: Token {
    let token = required
    guard token.end == nil, cursor.isAtLineEnd else { return token }
    return cursor.lineEnd
  }

  package var lastSpan: SourceSpan { cursor.lastSpan }

  @discardableResult
  package func take() -> Token { cursor.take() }

  /// The bytes of a token as they stand.
  package func bytes(_ token: Token) -> ArraySlice<UInt8> { cursor.bytes(token.span) }

  package func text(_ token: Token) -> String { cursor.text(token) }

  package func isWord(_ token: Token, _ word: StaticString) -> Bool { cursor.isWord(token, word) }

  package func mayPrecede(_ symbols: StaticString) -> Bool { cursor.mayPrecede(symbols) }
}
