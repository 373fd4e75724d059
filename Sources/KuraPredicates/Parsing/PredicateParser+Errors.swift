import KuraDiagnostics
import KuraValues

// What went wrong, said so that a person can go on.
extension PredicateParser {
  /// The error that something is wanted where the cursor stands.
  package func expected(_ wanted: PredicateSyntaxFacts.Expected) -> SyntaxError {
    let token = required
    if case .invalid(let problem) = token.kind { return lexical(problem, token) }
    if let end = token.end {
      let before = cursor.text(lastSpan)
      return SyntaxError(
        PredicateSyntaxFacts.missing(wanted, after: before, end), at: token.span)
    }
    return habit(token) ?? pointless(token, wanted)
      ?? SyntaxError(
        PredicateSyntaxFacts.unexpected(wanted, found: cursor.text(token)), at: token.span)
  }

  /// The error that what follows belongs to nothing.
  package func unexpectedTail(
    _ wanted: PredicateSyntaxFacts.Expected = .end
  ) -> SyntaxError {
    let token = required
    if let error = foreignOperator(token) { return error }
    guard token.kind == .word else { return expected(wanted) }
    if let error = wordBehindString(token) { return error }
    let word = cursor.text(token)
    let candidates = ["AND", "OR"] + ComparisonOperator.words
    let near = nearNames(to: word, among: candidates)
    guard !near.isEmpty, token.keyword == nil, word.utf8.count > 1 else { return expected(wanted) }
    return unknownOperator(token, near)
  }

  package func unclosed(_ bracket: Token) -> SyntaxError {
    SyntaxError(
      PredicateSyntaxFacts.unclosed(cursor.text(bracket), required.end ?? .line),
      at: bracket.span)
  }

  func reserved(_ token: Token) -> SyntaxError {
    let word = cursor.text(token)
    return SyntaxError(
      PredicateSyntaxFacts.reservedWord(word), at: token.span, fixIt: FixIt(token.span, "#" + word))
  }

  func unknownOperator(_ token: Token, _ near: [String]) -> SyntaxError {
    SyntaxError(
      PredicateSyntaxFacts.unknownOperator(cursor.text(token), near: near), at: token.span,
      fixIt: near.count == 1 ? FixIt(token.span, near[0]) : nil)
  }
}

extension PredicateParser {
  /// A value stands where a predicate is wanted.
  func missingComparison(after tree: ExpressionTree) -> SyntaxError {
    let token = required
    switch token.kind {
    case .invalid(let problem): return lexical(problem, token)
    case .end(let end): return bareValue(tree, end)
    case .word: return missingComparison(after: tree, before: token)
    case .symbol: return habit(token) ?? foreignOperator(token) ?? bareValue(tree, nil)
    default: return expected(.comparison)
    }
  }

  private func missingComparison(after tree: ExpressionTree, before token: Token) -> SyntaxError {
    let word = cursor.text(token)
    if let error = sqlHabit(tree, token) ?? fullWidthWord(token) { return error }
    let isClause = clauseWords.contains { $0 == word.lowercased() }
    if isClause || InfixOperator(token) != nil || optional.end != nil {
      return bareValue(tree, nil)
    }
    if let error = foreignOperator(token) ?? blankInKey(tree, token) { return error }
    let known = ForeignWord.comparison(for: word).map { [$0] }
    return unknownOperator(token, known ?? nearNames(to: word, among: ComparisonOperator.words))
  }

  private func bareValue(_ tree: ExpressionTree, _ end: Token.End?) -> SyntaxError {
    SyntaxError(
      PredicateSyntaxFacts.bareValue(cursor.text(tree.span), end), at: tree.span)
  }

  /// Where a value alone is enough, as in `print x NOT IN y`, it would be what follows that is wrong.
  func checkHabit(after tree: ExpressionTree) throws(SyntaxError) {
    let token = optional
    guard token.is(.not) || cursor.isWord(token, "is") else { return }
    if let error = sqlHabit(tree, token) { throw error }
  }

  /// `.5`, `/* … */`, `// …`: what stands where a value is wanted.
  private func pointless(
    _ token: Token, _ wanted: PredicateSyntaxFacts.Expected
  ) -> SyntaxError? {
    if wanted == .value || wanted == .predicate, let error = needlessSign(token) { return error }
    let next = cursor.peek()
    if token.is(.dot), next.kind == .number, next.isAdjacent {
      let span = token.span.joined(next.span)
      let text = cursor.text(next)
      return SyntaxError(
        PredicateSyntaxFacts.numberWithoutLeadingDigit(text), at: span,
        fixIt: FixIt(span, "0." + text))
    }
    let opensComment = token.is(.star) || token.is(.slash) || token.is(.doubleStar)
    guard opensComment, token.isAdjacent, cursor.text(lastSpan) == "/" else { return nil }
    return SyntaxError(
      PredicateSyntaxFacts.comment(inStatement: cursor.isStatement),
      at: lastSpan.joined(token.span))
  }
}
