import KuraDiagnostics
import KuraPredicates
import KuraValues

/// A part of a fetch that begins with its own word.
enum FetchClause: String, CaseIterable {
  case `where`, sort, offset, limit
}

extension StatementParser {
  /// Reads the clauses of a fetch in any order, each at most once.
  func readClauses(
    of fetch: inout FetchStatement, among allowed: [FetchClause]
  ) throws(SyntaxError) {
    predicates.clauseWords = FetchClause.allCases.map(\.rawValue)
    var seen: [FetchClause] = []
    while optional.end == nil {
      let clause = try takeClause(among: allowed)
      if seen.contains(clause) { throw error(.repeatedClause(clause.rawValue), at: lastSpan) }
      seen.append(clause)
      try read(clause, of: &fetch)
    }
  }

  private func takeClause(among allowed: [FetchClause]) throws(SyntaxError) -> FetchClause {
    let token = required
    guard token.kind == .word else { throw predicates.unexpectedTail() }
    let word = text(token).lowercased()
    guard let clause = FetchClause(rawValue: word), allowed.contains(clause) else {
      throw unknownClause(token, among: allowed)
    }
    take()
    return clause
  }

  private func unknownClause(_ token: Token, among allowed: [FetchClause]) -> SyntaxError {
    let word = text(token)
    let known = allowed.map(\.rawValue)
    if word.lowercased() == "order", allowed.contains(.sort) {
      return error(.unknownClause(word, near: ["sort"], known: known), at: token.span)
    }
    if nearNames(to: word, among: known).isEmpty {
      let tail = predicates.unexpectedTail()
      if case PredicateSyntaxFacts.unknownOperator = tail.diagnostic.facts { return tail }
    }
    return unknownWord(token, among: known) { .unknownClause($0, near: $1, known: $2) }
  }

  private func read(_ clause: FetchClause, of fetch: inout FetchStatement) throws(SyntaxError) {
    switch clause {
    case .where: fetch.predicate = try predicates.parsePredicate()
    case .sort: fetch.sort = try readSortKeys()
    case .offset: fetch.offset = try readCount(clause)
    case .limit: fetch.limit = try readCount(clause)
    }
  }

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
}
