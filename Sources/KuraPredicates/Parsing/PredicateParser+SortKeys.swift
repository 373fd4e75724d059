import KuraDiagnostics

extension PredicateParser {
  /// `title[cd] desc nulls last`, `name natural`
  package func parseSortKey() throws(SyntaxError) -> SortTree {
    let outside = context
    context = Context(readsSortKey: true)
    var key = SortTree(try expression(.assignment))
    context = outside
    key.options = try optionalOptions()
    while try takeSortWord(&key) {}
    noteEnd(.words(["asc", "desc", "natural", "nulls first", "nulls last"]))
    key.span = key.expression.span.joined(lastSpan)
    return key
  }

  private func takeSortWord(_ key: inout SortTree) throws(SyntaxError) -> Bool {
    let token = optional
    if cursor.isWord(token, "asc") || cursor.isWord(token, "ascending") {
      key.isAscending = true
    } else if cursor.isWord(token, "desc") || cursor.isWord(token, "descending") {
      key.isAscending = false
    } else if cursor.isWord(token, "natural") {
      key.isNatural = true
    } else if cursor.isWord(token, "nulls") {
      take()
      key.nullsFirst = try takeNullsPlace()
      return true
    } else {
      return false
    }
    take()
    return true
  }

  private func takeNullsPlace() throws(SyntaxError) -> Bool {
    let token = required
    guard token.is(.first) || token.is(.last) else { throw expected(.words(["first", "last"])) }
    take()
    return token.is(.first)
  }

  /// Whether the cursor stands at `[cd]` that ends a sort key.
  var isAtSortOption: Bool {
    guard context.readsSortKey else { return false }
    var ahead = cursor
    ahead.take()
    var count = 0
    while ahead.token.kind == .word, isLetters(ahead.token) {
      ahead.take()
      count += 1
    }
    return count > 0 && ahead.token.is(.rightBracket)
  }

  private func isLetters(_ token: Token) -> Bool {
    ComparisonOptions.reading(cursor.text(token)).wrong == nil
  }
}
