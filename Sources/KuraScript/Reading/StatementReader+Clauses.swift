import KuraDiagnostics
import KuraPredicates

// Lines that begin with the word of a clause
extension StatementReader {
  /// Parses a statement, in a file with the lines below it that begin with the word of a clause.
  ///
  ///     fetch MemoDate
  ///     where notifiable == YES
  ///     sort date
  func parse(
    from start: TokenCursor
  ) -> (found: Result<Statement, SyntaxError>, parser: StatementParser) {
    var (cursor, joined) = (start, [Token]())
    var whole: (Result<Statement, SyntaxError>, StatementParser)?
    while true {
      let parser = StatementParser(cursor)
      let place: Int?
      let found: (Result<Statement, SyntaxError>, StatementParser)
      do throws(SyntaxError) {
        var statement = try parser.parse()
        let isFollowed =
          joinsClauses && parser.end == .line && mayBeginClause(parser.cursor.token)
        place = isFollowed ? statement.span.end : nil
        statement.warnings += joined.prefix(1).map { Self.note($0, parser.text($0)) }
        found = (.success(statement), parser)
        whole = found
      } catch {
        place = error.diagnostic.span?.start
        found = (.failure(error), parser)
        // A statement without such a clause ends before the line, which is to blame by itself.
        if let whole, joined.contains(where: { $0.span.start == place }) { return whole }
      }
      guard let place, let lines = clauseLines(from: place), let last = lines.last,
        last.span.end > cursor.joinedTo
      else { return found }
      joined += lines
      cursor.joinedTo = last.span.end
    }
  }

  /// The first words of the lines from a place on that begin with the word of a clause, with lines that
  /// are indented deeper between them; nil if no such line begins there.
  private func clauseLines(from place: Int) -> [Token]? {
    guard joinsClauses else { return nil }
    var lexer = Lexer(bytes, from: position, to: known, base: lineStart, mode: .statement)
    var (found, depth) = ([Token](), 0)
    while case let token = lexer.next(), token.end == nil {
      if depth == 0, token.span.start >= place {
        if token.followsBlankLine || token.is(.semicolon) { break }
        let isLine = token.startsLine && token.indent <= indent
        if isLine ? !beginsClause(token, lexer) : found.isEmpty { break }
        if isLine { found.append(token) }
      }
      guard case .symbol(let symbol) = token.kind else { continue }
      if symbol.closing != nil { depth += 1 } else if symbol.closes { depth = max(0, depth - 1) }
    }
    return found.isEmpty ? nil : found
  }

  /// `as of 3` is a statement, `as words` is not.
  private func beginsClause(_ token: Token, _ lexer: Lexer) -> Bool {
    var ahead = lexer
    return mayBeginClause(token) && !(isWord(token, "as") && isWord(ahead.next(), "of"))
  }

  private func mayBeginClause(_ token: Token) -> Bool {
    guard token.end == nil else { return false }
    return token.is(.and) || token.is(.or) || isWord(token, "as")
      || FetchClause(word: word(token)) != nil
  }

  private func isWord(_ token: Token, _ text: String) -> Bool {
    token.kind == .word && String(decoding: word(token), as: UTF8.self).lowercased() == text
  }

  private func word(_ token: Token) -> ArraySlice<UInt8> {
    bytes[lineStart + token.span.start..<lineStart + token.span.end]
  }

  private static func note(_ token: Token, _ word: String) -> Diagnostic {
    Diagnostic(StatementFacts.lineJoined(word), at: token.span, severity: .note)
  }
}
