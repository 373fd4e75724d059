import KuraDiagnostics
import KuraPredicates

// Lines that begin with the word of a clause
extension StatementReader {
  /// Reads a statement again with the lines below it that begin with the word of a clause; nil if there
  /// are none, or if the statement takes no such clause.
  ///
  ///     fetch MemoDate
  ///     where notifiable == YES
  ///     sort date
  mutating func readClauses(
    behind statement: Statement, _ first: StatementParser, from start: TokenCursor
  ) throws(SyntaxError) -> Event? {
    guard joinsClauses, first.end == .line else { return nil }
    var (end, joined) = (statement.span.end, [Token]())
    var last: (Statement, StatementParser)?
    while let lines = clauseLines(behind: end), let word = lines.first {
      var cursor = start
      cursor.joinedTo = (lines.last ?? word).span.end
      let parser = StatementParser(cursor)
      do throws(SyntaxError) {
        let statement = try parser.parse()
        (last, end) = ((statement, parser), statement.span.end)
        joined += lines
      } catch {
        // The statement has no such clause: the line is to blame by itself.
        if error.diagnostic.span == word.span { break }
        throw error
      }
      guard parser.end == .line else { break }
    }
    guard let (whole, parser) = last else { return nil }
    var told = whole
    told.warnings += joined.prefix(1).map { Self.note($0, first.text($0)) }
    return took(told, parser)
  }

  /// The first words of the lines behind a place that begin with the word of a clause, with lines that are
  /// indented deeper between them; nil if the next line is another.
  private func clauseLines(behind end: Int) -> [Token]? {
    var lexer = Lexer(bytes, from: lineStart + end, to: known, base: lineStart, mode: .statement)
    var (found, depth) = ([Token](), 0)
    while case let token = lexer.next(), token.end == nil {
      if depth == 0, token.followsBlankLine || token.is(.semicolon) { break }
      if depth == 0, token.startsLine, token.indent <= indent {
        guard beginsClause(token) else { break }
        found.append(token)
      }
      guard case .symbol(let symbol) = token.kind else { continue }
      if symbol.closing != nil { depth += 1 } else if symbol.closes { depth = max(0, depth - 1) }
    }
    return found.isEmpty ? nil : found
  }

  private func beginsClause(_ token: Token) -> Bool {
    let word = bytes[lineStart + token.span.start..<lineStart + token.span.end]
    return token.is(.and) || token.is(.or) || FetchClause(word: word) != nil
  }

  /// Whether the line behind a place goes on with the statement that ends there.
  func goesOn(behind place: Int) -> Bool {
    guard joinsClauses, place < known, bytes[place] == .newline else { return false }
    let word = bytes[(place + 1)..<known].prefix { $0.isASCIILetter }
    let text = String(decoding: word.prefix(4), as: UTF8.self).lowercased()
    return ["and", "or"].contains(text) || FetchClause(word: word) != nil
  }

  private static func note(_ token: Token, _ word: String) -> Diagnostic {
    Diagnostic(StatementFacts.lineJoined(word), at: token.span, severity: .note)
  }
}
