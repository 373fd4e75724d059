import KuraDiagnostics
import KuraPredicates
import KuraValues

extension StatementParser {
  /// Reads `distinct title, year(date) as y`, `*`.
  func readSelection(of fetch: inout FetchTree) throws(SyntaxError) {
    if isDistinctWord {
      take()
      if fetch.isDistinct { throw error(.repeatedClause("distinct"), at: lastSpan) }
      fetch.isDistinct = true
    }
    fetch.selection = try readList(\.expression.soleKey) { () throws(SyntaxError) in
      try readColumn()
    }
  }

  /// Whether `distinct` is followed by a column; otherwise it is a key.
  private var isDistinctWord: Bool {
    guard isWord(required, "distinct") else { return false }
    let next = cursor.peek()
    switch next.kind {
    case .word: return FetchClause(word: bytes(next)) == nil
    case .symbol(let symbol): return symbol == .star || symbol == .leftParenthesis
    case .end: return false
    default: return true
    }
  }

  private func readColumn() throws(SyntaxError) -> SelectedColumn {
    if required.is(.star) { return .all(span: take().span) }
    let columns = columnsInBrackets
    let tree: ExpressionTree
    do { tree = try predicates.parseExpressionOrPredicate() } catch {
      guard let columns else { throw error }
      throw columns
    }
    predicates.expectAtEnd(.words(["as"]))
    guard takeWord("as") != nil else {
      let name = tree.pathWithoutQuotes ?? cursor.text(tree.span).onOneLine
      return SelectedColumn(tree, name: name, span: tree.span)
    }
    let name = try takeName(.key)
    return SelectedColumn(
      tree, name: name.text, isNamed: true, span: tree.span.joined(name.span))
  }
}

extension StatementParser {
  /// The error of `select (title, date)`, with the columns without brackets as its fix; nil if
  /// there is no bracket.
  private var columnsInBrackets: SyntaxError? {
    guard required.is(.leftParenthesis) || required.is(.leftBracket) else { return nil }
    var ahead = cursor
    let open = ahead.take()
    while ahead.token.end == nil, ahead.depth > cursor.depth { ahead.take() }
    let close = SourceSpan(max(open.span.end, ahead.lastSpan.end - 1), ahead.lastSpan.end)
    return SyntaxError(
      StatementProblem.columnsInBrackets, at: open.span.joined(close),
      fixIts: [FixIt(edits: [TextEdit(open.span, ""), TextEdit(close, "")])])
  }
}

extension String {
  /// The text with each line break and the whitespace around it replaced by a space.
  package var onOneLine: String {
    guard contains(where: \.isNewline) else { return self }
    return split(whereSeparator: \.isNewline)
      .map { String($0.drop(while: \.isWhitespace)) }
      .joined(separator: " ")
  }
}
