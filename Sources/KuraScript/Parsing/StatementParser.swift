import KuraDiagnostics
package import KuraPredicates

/// Reads one statement from tokens; each kind of statement is read in its own file.
package final class StatementParser {
  /// Reads predicates and expressions, and holds the cursor.
  let predicates: PredicateParser
  /// Where the statement's first word stands.
  private(set) var start = SourceSpan.none

  package init(_ cursor: TokenCursor) {
    predicates = PredicateParser(cursor)
    predicates.readFetch = { [unowned self] result throws(SyntaxError) in
      try readFetch(result)
    }
  }

  /// Reads a whole statement; `;` and the line's end stay.
  package func parse() throws(SyntaxError) -> Statement {
    let first = required
    start = first.span
    let syntax = try syntax(beginning: first)
    let tree = try syntax.read(self)
    if optional.end == nil { throw trailing(syntax) }
    return Statement(
      tree, span: first.span.joined(lastSpan), warnings: predicates.warnings)
  }

  /// What ended the statement.
  package var end: Token.End { optional.end ?? .line }

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
    guard required.is(symbol) else {
      let isDoubled = symbol == .equal && required.is(.doubleEqual)
      throw isDoubled
        ? error(.unexpected(.symbol(symbol), found: "=="), at: required.span, fix: "=")
        : expected(.symbol(symbol))
    }
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
    guard token.kind == .word || token.kind == .hashWord else { throw expected(wanted) }
    take()
    return Name(try predicates.name(of: token), span: token.span)
  }

  /// `"FILE"`
  func takeString() throws(SyntaxError) -> Name {
    let token = required
    guard token.kind == .string else { throw expected(.string) }
    take()
    return Name(try predicates.text(ofString: token), span: token.span)
  }
}

// Errors
extension StatementParser {
  /// The error that something is wanted where the cursor stands.
  func expected(_ wanted: StatementFacts.Wanted) -> SyntaxError {
    let token = required
    if let wanted = wanted.expectation { predicates.noteEnd(wanted) }
    if case .invalid(let problem) = token.kind { return predicates.lexical(problem, token) }
    if let end = token.end {
      return SyntaxError(
        StatementFacts.missing(wanted, after: cursor.text(lastSpan), end), at: token.span)
    }
    return SyntaxError(StatementFacts.unexpected(wanted, found: text(token)), at: token.span)
  }

  func error(_ facts: StatementFacts, at span: SourceSpan, fix: String? = nil) -> SyntaxError {
    SyntaxError(facts, at: span, fixIt: fix.map { FixIt(span, $0) })
  }

  /// The error that a word is none of those that may stand there.
  func unknownWord(
    _ token: Token, among known: [String],
    _ facts: (_ word: String, _ near: [String], _ known: [String]) -> StatementFacts
  ) -> SyntaxError {
    let near = nearNames(to: text(token), among: known)
    return error(
      facts(text(token), near, known), at: token.span, fix: near.count == 1 ? near[0] : nil)
  }

  private func noStatement(_ token: Token) -> SyntaxError {
    if case .invalid(let problem) = token.kind { return predicates.lexical(problem, token) }
    if token.is(.dot) { return error(.settingInLine, at: token.span) }
    if token.is(.leftBracket) || token.is(.leftBrace) {
      return error(.valueAsStatement(text(token)), at: token.span)
    }
    return error(.unknownStatement(text(token), near: []), at: token.span)
  }

  private func unknownStatement(_ token: Token) -> SyntaxError {
    let word = text(token)
    if let setting = StatementCatalogue.settingWords[word.lowercased()] {
      return error(.settingWithoutDot(word, setting), at: token.span, fix: "." + setting)
    }
    if Self.comingWords.contains(word.lowercased()) {
      return error(.notYet(word), at: token.span)
    }
    let text = cursor.text(SourceSpan(token.span.start, cursor.endOffset))
    if let ours = ForeignStatement.ours(for: text, word: word) {
      return error(.foreignStatement(word, ours: ours), at: token.span)
    }
    if FetchClause(rawValue: word.lowercased()) != nil || token.is(.and) || token.is(.or) {
      return error(.lineGoesOn(word, isIndented: cursor.indent > 0), at: token.span)
    }
    let near = nearNames(to: word, among: StatementCatalogue.all.map(\.name))
    return error(
      .unknownStatement(word, near: near), at: token.span, fix: near.count == 1 ? near[0] : nil)
  }

  /// Words of the language that begin no statement yet.
  private static let comingWords: Set<String> = [
    "watch", "unwatch", "trace", "compare", "show",
  ]

  /// What stands behind a statement that is complete.
  private func trailing(_ syntax: StatementSyntax) -> SyntaxError {
    guard required.kind == .word else {
      return predicates.unexpectedTail()
    }
    return expected(.end)
  }
}

extension StatementFacts.Wanted {
  /// What of it is known before it is typed.
  fileprivate var expectation: Expectation.Wanted? {
    switch self {
    case .entity: .name(.entity)
    case .request: .name(.request)
    case .key, .assignment, .edit: .name(.key)
    case .type: .name(.type)
    case .word(let word): .words([word])
    case .symbol(let symbol): .words([symbol.rawValue])
    case .limits: .words(["where", "all"])
    case .alteration: .words(["add", "drop", "rename", "change"])
    case .dropped: .words(["entity", "request"])
    case .lesson: .words(["end"])
    case .variable, .string, .separator, .stepCount, .steps, .contextName, .clause, .seed, .end: nil
    }
  }
}
