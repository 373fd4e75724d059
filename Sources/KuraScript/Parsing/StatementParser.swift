import KuraDiagnostics
package import KuraPredicates

/// Reads one statement from tokens; each kind of statement is read in its own file.
package final class StatementParser {
  /// Reads predicates and expressions, and holds the cursor.
  let predicates: PredicateParser
  /// Where the statement's first word stands.
  private(set) var start = SourceSpan.none
  /// Whether its last `}` ended the statement.
  private var endsAtBrace = false

  package init(_ cursor: TokenCursor) {
    predicates = PredicateParser(cursor)
    predicates.readFetch = { [unowned self] result throws(SyntaxError) in
      try readFetch(result, among: FetchClause.all(of: result))
    }
  }

  /// Reads a whole statement; `;` and the line's end stay.
  package func parse() throws(SyntaxError) -> Statement {
    let first = required
    start = first.span
    let syntax = try syntax(beginning: first)
    let tree = try syntax.read(self)
    endsAtBrace = syntax.endsAtBrace
    if !endsAtBrace, optional.end == nil { throw trailing(syntax) }
    return Statement(
      tree, span: first.span.joined(lastSpan), warnings: predicates.warnings)
  }

  /// What ended the statement.
  package var end: Token.End { endsAtBrace ? .brace : optional.end ?? .line }

  private func syntax(beginning token: Token) throws(SyntaxError) -> StatementSyntax {
    predicates.noteEnd(.statement)
    guard token.kind == .word else { throw noStatement(token) }
    guard let syntax = StatementCatalogue.syntax(beginning: bytes(token)) else {
      throw unknownStatement(token)
    }
    take()
    return syntax
  }
}

// The cursor, read where it is: through a property of ours it would be copied.
extension StatementParser {
  package var cursor: TokenCursor {
    get { predicates.cursor }
    set { predicates.cursor = newValue }
  }

  var required: Token { predicates.required }

  var optional: Token { predicates.optional }

  var lastSpan: SourceSpan { predicates.lastSpan }

  @discardableResult
  func take() -> Token { predicates.take() }

  func text(_ token: Token) -> String { predicates.text(token) }

  /// The bytes of a token as they stand.
  func bytes(_ token: Token) -> ArraySlice<UInt8> { predicates.bytes(token) }

  func isWord(_ token: Token, _ word: StaticString) -> Bool {
    predicates.isWord(token, word)
  }

  /// Takes the word if it comes next and the statement could not go on without it.
  func takeWord(_ word: StaticString) -> Token? {
    if optional.end == .text { predicates.noteEnd(.words(["\(word)"])) }
    return isWord(optional, word) ? take() : nil
  }

  func take(_ symbol: Symbol) throws(SyntaxError) {
    guard required.is(symbol) else { throw offering(symbol, expected(.symbol(symbol))) }
    take()
  }

  func takeComma() -> Bool {
    guard optional.is(.comma) else { return false }
    take()
    return true
  }

  /// `MemoDate`, `#"sales-2024"`, `_`
  func takeName(_ wanted: StatementFacts.Wanted) throws(SyntaxError) -> Name {
    let token = required
    guard token.kind == .word || token.kind == .hashWord else {
      throw unquoted(token, expected(wanted))
    }
    take()
    return Name(try predicates.name(of: token), span: token.span)
  }

  /// `"FILE"`
  func takeString() throws(SyntaxError) -> Name {
    let token = required
    guard token.kind == .string else { throw quoted(token, expected(.string)) }
    take()
    return Name(try predicates.text(ofString: token), span: token.span)
  }
}
