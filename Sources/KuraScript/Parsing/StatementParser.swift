import KuraDiagnostics
package import KuraPredicates

/// Reads one statement from tokens; each kind of statement has its own file.
package final class StatementParser {
  /// Reads predicates and expressions, and has the cursor.
  let predicates: PredicateParser
  /// The span of the statement's first word.
  private(set) var start = SourceSpan.none
  /// Whether its last `}` ended the statement.
  private var endsAtBrace = false

  package init(_ cursor: TokenCursor) {
    predicates = PredicateParser(cursor)
    predicates.readFetch = { [unowned self] result throws(SyntaxError) in
      try readFetch(result, among: FetchClause.all(of: result))
    }
  }

  /// Reads a complete statement; `;` and the line's end are not consumed.
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

  /// The way in which the statement ended.
  package var end: Token.End { endsAtBrace ? .brace : optional.end ?? .line }

  private func syntax(beginning token: Token) throws(SyntaxError) -> StatementSyntax {
    predicates.expectAtEnd(.statement)
    guard token.kind == .word else { throw noStatement(token) }
    guard let syntax = StatementCatalog.syntax(beginning: bytes(token)) else {
      throw unknownStatement(token)
    }
    take()
    return syntax
  }
}

// The cursor is accessed in place, because a stored property would copy it.
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

  func bytes(_ token: Token) -> ArraySlice<UInt8> { predicates.bytes(token) }

  func isWord(_ token: Token, _ word: StaticString) -> Bool {
    predicates.isWord(token, word)
  }

  /// Takes one of several words, and returns it in lowercase.
  func takeChoice(_ choices: [String]) throws(SyntaxError) -> Name {
    predicates.expectAtEnd(.words(choices))
    let token = required
    guard token.kind == .word else { throw expected(.word(choices[0])) }
    let word = text(token).lowercased()
    guard choices.contains(word) else {
      throw unknownWord(token, among: choices) { .unknownChoice($0, near: $1, known: $2) }
    }
    take()
    return Name(word, span: token.span)
  }

  /// Takes a word if it comes next, for a statement that could end here.
  func takeWord(_ word: StaticString) -> Token? {
    if optional.end == .text { predicates.expectAtEnd(.words(["\(word)"])) }
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

  /// Reads a name: `MemoDate`, `#"sales-2024"`, `_`
  func takeName(_ wanted: StatementProblem.Wanted) throws(SyntaxError) -> Name {
    let token = required
    guard token.kind == .word || token.kind == .hashWord else {
      throw unquoted(token, expected(wanted))
    }
    take()
    return Name(try predicates.name(of: token), span: token.span)
  }

  /// Reads a text: `"FILE"`
  func takeString() throws(SyntaxError) -> Name {
    let token = required
    guard token.kind == .string else { throw quoted(token, expected(.string)) }
    take()
    return Name(try predicates.text(ofString: token), span: token.span)
  }
}

// Errors
extension StatementParser {
  /// Returns the error of a missing symbol, with fixes that insert it or put it in the place of
  /// another one.
  func offering(_ symbol: Symbol, _ error: SyntaxError) -> SyntaxError {
    let token = required
    guard token.end == nil, !token.is(.comma) else { return error }
    let end = SourceSpan(lastSpan.end, lastSpan.end)
    let others: Set<Symbol> = [.equal, .doubleEqual, .colon, .assign, .equalGreater]
    if case .symbol(let found) = token.kind, others.contains(found), others.contains(symbol) {
      let isAfterKey = found == .colon && token.isAdjacent && symbol == .equal
      return error.corrected(by: [FixIt(token.span, isAfterKey ? " =" : symbol.rawValue)])
    }
    if others.contains(symbol) {
      return error.corrected(by: [FixIt(end, symbol == .colon ? ":" : " \(symbol.rawValue)")])
    }
    if case .symbol(let found) = token.kind, found.closing != nil, let closing = symbol.closing {
      return error.corrected(by: [replacingBrackets(with: symbol.rawValue, closing.rawValue)])
    }
    return symbol == .leftBrace ? error.corrected(by: [inBraces(from: token)]) : error
  }

  /// Returns a fix that replaces the brackets that open here.
  func replacingBrackets(with open: String, _ close: String) -> FixIt {
    let (first, last) = brackets
    return FixIt(edits: [TextEdit(first, open), TextEdit(last, close)])
  }

  /// The spans of the bracket that opens here and of the one that closes it.
  var brackets: (open: SourceSpan, close: SourceSpan) {
    var ahead = cursor
    let open = ahead.take().span
    while ahead.token.end == nil, ahead.depth > cursor.depth { ahead.take() }
    return (open, SourceSpan(max(open.end, ahead.lastSpan.end - 1), ahead.lastSpan.end))
  }

  /// Returns a fix that puts braces around everything that follows.
  private func inBraces(from first: Token) -> FixIt {
    var ahead = cursor
    while ahead.required.end == nil { ahead.take() }
    return FixIt(edits: [
      TextEdit(SourceSpan(first.span.start, first.span.start), "{ "),
      TextEdit(SourceSpan(ahead.lastSpan.end, ahead.lastSpan.end), " }"),
    ])
  }

  /// Returns the error of a missing text, with quotes as its fix: `as Memo`, `save new.json`
  func quoted(_ token: Token, _ error: SyntaxError) -> SyntaxError {
    guard token.kind == .word else { return error }
    var ahead = cursor
    ahead.take()
    while ahead.token.end == nil, ahead.token.isAdjacent { ahead.take() }
    let span = token.span.joined(ahead.lastSpan)
    return error.corrected(by: [FixIt(span, "\"\(cursor.text(span))\"")])
  }

  /// Returns the error of a missing name, if it is in quotes.
  func unquoted(_ token: Token, _ error: SyntaxError) -> SyntaxError {
    guard token.kind == .string, let name = try? predicates.text(ofString: token) else {
      return error
    }
    return error.corrected(by: [FixIt(token.span, name.writtenName)])
  }

  /// Returns the error that something is expected at the cursor.
  func expected(_ wanted: StatementProblem.Wanted) -> SyntaxError {
    let token = required
    if let wanted = wanted.expectation { predicates.expectAtEnd(wanted) }
    if case .invalid(let problem) = token.kind { return predicates.lexical(problem, token) }
    if let end = token.end {
      return SyntaxError(
        StatementProblem.missing(wanted, after: cursor.lastText, end), at: token.span)
    }
    return SyntaxError(
      StatementProblem.unexpected(wanted, found: text(token)), at: token.span,
      fixIts: wanted.fixes(before: token))
  }

  func error(_ facts: StatementProblem, at span: SourceSpan, fix: String? = nil) -> SyntaxError {
    error(facts, at: span, fixIt: fix.map { FixIt(span, $0) })
  }

  func error(_ facts: StatementProblem, at span: SourceSpan, fixIt: FixIt?) -> SyntaxError {
    SyntaxError(facts, at: span, fixIt: fixIt)
  }

  /// Returns the error of a word that is not one of the allowed ones.
  func unknownWord(
    _ token: Token, among known: [String],
    _ facts: (_ word: String, _ near: [String], _ known: [String]) -> StatementProblem
  ) -> SyntaxError {
    let near = nearNames(to: text(token), among: known)
    return error(
      facts(text(token), near, known), at: token.span, fix: near.count == 1 ? near[0] : nil)
  }

  func noStatement(_ token: Token) -> SyntaxError {
    if case .invalid(let problem) = token.kind { return predicates.lexical(problem, token) }
    if token.is(.dot) { return error(.settingInLine, at: token.span) }
    if token.is(.leftBracket) || token.is(.leftBrace) {
      return error(.valueAsStatement(text(token)), at: token.span)
    }
    return error(.unknownStatement(text(token), near: []), at: token.span)
  }

  func unknownStatement(_ token: Token) -> SyntaxError {
    let word = text(token)
    if let setting = StatementCatalog.settingWords[word.lowercased()] {
      return error(.settingWithoutDot(word, setting), at: token.span, fix: "." + setting)
    }
    let text = cursor.text(SourceSpan(token.span.start, cursor.endOffset))
    if let file = ForeignStatement.file(for: text, word: word) {
      return error(.foreignExport(word, file: file), at: token.span)
    }
    if let ours = ForeignStatement.ours(for: text, word: word) {
      return error(.foreignStatement(word, ours: ours), at: token.span)
    }
    if FetchClause(rawValue: word.lowercased()) != nil || token.is(.and) || token.is(.or) {
      return error(.lineContinues(word, isIndented: cursor.indent > 0), at: token.span)
    }
    let near = nearNames(to: word, among: StatementCatalog.all.map(\.name))
    return error(
      .unknownStatement(word, near: near), at: token.span, fix: near.count == 1 ? near[0] : nil)
  }

  /// Returns the error of text after a complete statement.
  func trailing(_ syntax: StatementSyntax) -> SyntaxError {
    guard required.kind == .word else {
      return predicates.unexpectedTail()
    }
    return expected(.end)
  }
}

extension SyntaxError {
  /// Returns the error with other fixes.
  func corrected(by fixIts: [FixIt]) -> SyntaxError {
    var diagnostic = diagnostic
    diagnostic.fixIts = fixIts
    return SyntaxError(diagnostic)
  }
}

extension StatementProblem.Wanted {
  /// Returns fixes that insert the expected word, or a comma's replacement by `;`.
  fileprivate func fixes(before token: Token) -> [FixIt] {
    let start = SourceSpan(token.span.start, token.span.start)
    switch self {
    case .word(let word): return [FixIt(start, word + " ")]
    case .predicate: return [FixIt(start, "where ")]
    case .separator: return token.is(.comma) ? [FixIt(token.span, ";")] : []
    default: return []
    }
  }

  /// The completions at this place.
  fileprivate var expectation: Expectation.Wanted? {
    switch self {
    case .entity: .name(.entity)
    case .request: .name(.request)
    case .key, .assignment, .edit: .name(.key)
    case .type: .name(.type)
    case .word(let word): .words([word])
    case .symbol(let symbol): .words([symbol.rawValue])
    case .limits: .words(["where", "all"])
    case .predicate: .words(["where"])
    case .alteration: .words(["add", "drop", "rename", "change"])
    case .dropped: .words(["entity", "request"])
    case .lesson: .words(["end"])
    case .watched: .words(["all"])
    case .variable, .string, .separator, .stepCount, .steps, .contextName, .clause, .seed, .end,
      .watchName, .save:
      nil
    }
  }
}

/// The fetch that a statement analyzes: part of the statement, or a saved request.
package enum AnalyzedFetch: Sendable {
  /// `fetch Item where done == NO`, also without its first word
  case fetch(FetchTree)
  /// `run Overdue(today())`
  case run(RunStatement)

  var typedParts: [TypedPart] {
    switch self {
    case .fetch(let fetch): fetch.typedParts
    case .run(let run): run.typedParts
    }
  }
}

extension StatementParser {
  /// Reads `Item where …`, with or without the word `fetch` before it, or `run NAME(…)`.
  ///
  /// An entity can have one of those words as its name; the next token decides.
  func readAnalyzedFetch(until ends: EndWords = []) throws(SyntaxError) -> AnalyzedFetch {
    predicates.expectAtEnd(.words(["fetch", "run"]))
    let word = text(required).lowercased()
    let next = cursor.peek()
    guard required.kind == .word, mayBegin(source: next) else {
      return .fetch(try readFetch(until: ends))
    }
    if word == "run" {
      take()
      return .run(try readRun())
    }
    guard let result = FetchTree.Result(rawValue: word) else {
      return .fetch(try readFetch(until: ends))
    }
    take()
    return .fetch(try readFetch(result, until: ends))
  }

  /// Returns whether a token is a name, and not a clause.
  private func mayBegin(source token: Token) -> Bool {
    switch token.kind {
    case .word: FetchClause(word: bytes(token)) == nil
    case .hashWord, .variable: true
    default: false
    }
  }
}
