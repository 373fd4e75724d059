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
