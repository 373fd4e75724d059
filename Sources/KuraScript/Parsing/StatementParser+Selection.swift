import KuraDiagnostics
import KuraPredicates

extension StatementParser {
  /// `distinct title, year(date) as y`, `*`
  func readSelection(of fetch: inout FetchTree) throws(SyntaxError) {
    if isDistinctWord {
      take()
      if fetch.isDistinct { throw error(.repeatedClause("distinct"), at: lastSpan) }
      fetch.isDistinct = true
    }
    var columns = [try readColumn()]
    while takeComma() { columns.append(try readColumn()) }
    fetch.selection = columns
  }

  /// `distinct` where a column follows: else it is a key.
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
    let tree = try predicates.parseExpressionOrPredicate()
    predicates.noteEnd(.words(["as"]))
    guard takeWord("as") != nil else {
      return SelectedColumn(tree, name: cursor.text(tree.span).onOneLine, span: tree.span)
    }
    let name = try takeName(.key)
    return SelectedColumn(
      tree, name: name.text, isNamed: true, span: tree.span.joined(name.span))
  }
}

extension String {
  /// The text with each line break and the blanks around it as one blank.
  package var onOneLine: String {
    guard contains(where: \.isNewline) else { return self }
    return split(whereSeparator: \.isNewline)
      .map { String($0.drop(while: \.isWhitespace)) }
      .joined(separator: " ")
  }
}
