import KuraDiagnostics
import KuraPredicates
import KuraValues

extension StatementParser {
  /// Reads the clauses of a fetch in any order, each at most once, up to the end or a bracket.
  func readClauses(
    of fetch: inout FetchTree, among allowed: [FetchClause]
  ) throws(SyntaxError) {
    predicates.clauseWords = FetchClause.words
    var seen: [FetchClause] = []
    let depth = predicates.breakOff?.open.count
    note(fetch, nil, depth)
    while optional.end == nil, !optional.is(.rightParenthesis) || cursor.depth == 0 {
      let clause = try takeClause(among: allowed)
      if seen.contains(clause) { throw error(.repeatedClause(clause.rawValue), at: lastSpan) }
      seen.append(clause)
      note(fetch, clause, depth)
      try read(clause, of: &fetch)
    }
    let rest = allowed.filter { !seen.contains($0) }
    predicates.noteEnd(.words(rest.map(\.words)))
  }

  /// Says what stands open around a clause, to who wants to know what may stand at a cursor.
  private func note(_ fetch: FetchTree, _ clause: FetchClause?, _ depth: Int?) {
    guard let depth, let breakOff = predicates.breakOff else { return }
    breakOff.open.removeSubrange(depth...)
    breakOff.open.append(.fetch(fetch, clause: clause?.rawValue))
  }

  private func takeClause(among allowed: [FetchClause]) throws(SyntaxError) -> FetchClause {
    let token = required
    guard token.kind == .word else { throw predicates.unexpectedTail() }
    guard let clause = FetchClause(word: bytes(token)), allowed.contains(clause) else {
      throw unknownClause(token, among: allowed)
    }
    take()
    try takeSecondWord(of: clause)
    return clause
  }

  /// `by` in `group by`
  private func takeSecondWord(of clause: FetchClause) throws(SyntaxError) {
    guard let word = clause.secondWord else { return }
    predicates.noteEnd(.words(["\(word)"]))
    guard isWord(required, word) else { throw expected(.word("\(word)")) }
    take()
  }

  private func unknownClause(_ token: Token, among allowed: [FetchClause]) -> SyntaxError {
    let word = text(token)
    let known = allowed.map(\.rawValue)
    if word.lowercased() == "order", allowed.contains(.sort) {
      let next = cursor.peek()
      let span = isWord(next, "by") ? token.span.joined(next.span) : token.span
      return error(
        .unknownClause(cursor.text(span), near: ["sort"], known: known), at: span, fix: "sort")
    }
    if nearNames(to: word, among: known).isEmpty {
      let tail = predicates.unexpectedTail()
      if case PredicateSyntaxFacts.unknownOperator = tail.diagnostic.facts { return tail }
    }
    return unknownWord(token, among: known) { .unknownClause($0, near: $1, known: $2) }
  }

  private func read(_ clause: FetchClause, of fetch: inout FetchTree) throws(SyntaxError) {
    switch clause {
    case .where: fetch.predicate = try predicates.parsePredicate()
    case .sort: fetch.sort = try readSortKeys()
    case .offset: fetch.offset = try readCount(clause)
    case .limit: fetch.limit = try readCount(clause)
    case .batch: fetch.batch = try readCount(clause)
    case .select: try readSelection(of: &fetch)
    case .distinct: fetch.isDistinct = true
    case .group: fetch.grouping = try readKeys()
    case .having: fetch.having = try predicates.parsePredicate()
    case .section: fetch.section = try predicates.parseExpressionOrPredicate()
    case .without: fetch.includesSubentities = false
    }
  }

  /// `5`, `$n`
  private func readCount(_ clause: FetchClause) throws(SyntaxError) -> ExpressionTree {
    let tree = try predicates.parseExpression()
    switch tree.kind {
    case .variable: return tree
    case .constant(let constant):
      if case .integer(let count) = constant.value, count >= 0 { return tree }
    default: break
    }
    throw error(.wrongCount(clause.rawValue), at: tree.span)
  }

  private func readKeys() throws(SyntaxError) -> [ExpressionTree] {
    var keys = [try predicates.parseExpressionOrPredicate()]
    while takeComma() { keys.append(try predicates.parseExpressionOrPredicate()) }
    return keys
  }
}

// Sort
extension StatementParser {
  private func readSortKeys() throws(SyntaxError) -> [SortTree] {
    if isWord(required, "by"), cursor.peek().kind == .word, !isSortWord(cursor.peek()) {
      throw error(.idleWord("by", after: "sort"), at: required.span, fix: "")
    }
    var keys = [try predicates.parseSortKey()]
    while takeComma() { keys.append(try predicates.parseSortKey()) }
    return keys
  }

  private func isSortWord(_ token: Token) -> Bool {
    let words = ["asc", "desc", "natural", "nulls"] + FetchClause.allCases.map(\.rawValue)
    return token.startsLine || words.contains(text(token).lowercased())
  }
}
