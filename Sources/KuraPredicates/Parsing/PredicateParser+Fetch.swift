import KuraDiagnostics

extension PredicateParser {
  /// `(fetch Item where done == NO)`, behind its bracket; nil where no fetch stands there.
  func fetch(in bracket: Token) throws(SyntaxError) -> ExpressionTree? {
    guard let readFetch, let result = fetchWord else { return nil }
    let outside = try enter(at: bracket.span)
    let (words, outsideTallest) = (clauseWords, tallest)
    take()
    tallest = 1
    var fetch = try readFetch(result)
    clauseWords = words
    try close(bracket)
    leave(to: outside)
    fetch.span = bracket.span.joined(lastSpan)
    // It has several trees side by side; the tallest counts.
    try grow(above: tallest, at: bracket.span)
    tallest = max(outsideTallest, height)
    return ExpressionTree(.fetch(fetch), span: fetch.span)
  }

  /// `fetch` where something follows that may be its source: else it is a key.
  private var fetchWord: FetchTree.Result? {
    let word = required
    guard let result = FetchTree.Result.allCases.first(where: { isWord(word, $0) }) else {
      return nil
    }
    let next = cursor.peek()
    if next.end == .text { breakOff?.note(.source) }
    return isFetchSource(next) ? result : nil
  }

  /// Whether a token may be what a fetch is made from: an entity, a variable or `_`.
  package func isFetchSource(_ token: Token) -> Bool {
    switch token.kind {
    case .hashWord, .variable: true
    case .word: token.keyword == nil
    default: false
    }
  }

  /// `Item/3`, `$home.items`: what stands in the place of an entity and is none.
  package func parseFetchSource() throws(SyntaxError) -> ExpressionTree {
    try value(postfix(.product))
  }

  private func isWord(_ token: Token, _ result: FetchTree.Result) -> Bool {
    switch result {
    case .objects: cursor.isWord(token, "fetch")
    case .count: cursor.isWord(token, "count")
    case .exists: cursor.isWord(token, "exists")
    }
  }
}

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
