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
    return habit(token) ?? pointless(token)
      ?? SyntaxError(
        PredicateSyntaxFacts.unexpected(wanted, found: cursor.text(token)), at: token.span)
  }

  /// The error that what follows belongs to nothing.
  package func unexpectedTail(
    _ wanted: PredicateSyntaxFacts.Expected = .end
  ) -> SyntaxError {
    let token = required
    guard token.kind == .word else { return expected(wanted) }
    let word = cursor.text(token)
    if token.isAdjacent, let quote = cursor.bytes(lastSpan).last, quote == UInt8(ascii: "'") {
      return SyntaxError(PredicateSyntaxFacts.textBehindString(word), at: token.span)
    }
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

  private func unknownOperator(_ token: Token, _ near: [String]) -> SyntaxError {
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
    case .symbol: return habit(token) ?? bareValue(tree, nil)
    default: return expected(.comparison)
    }
  }

  private func missingComparison(after tree: ExpressionTree, before token: Token) -> SyntaxError {
    let word = cursor.text(token)
    if let error = sqlHabit(tree, token) { return error }
    let isClause = clauseWords.contains { $0 == word.lowercased() }
    if isClause || InfixOperator(token) != nil || optional.end != nil {
      return bareValue(tree, nil)
    }
    return unknownOperator(token, nearNames(to: word, among: ComparisonOperator.words))
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

  /// `x IS NOT NULL`, `x NOT IN y`
  private func sqlHabit(_ tree: ExpressionTree, _ token: Token) -> SyntaxError? {
    if cursor.isWord(token, "is") { return isNull(token) }
    let next = cursor.peek()
    guard token.is(.not), case .comparison? = InfixOperator(next) else { return nil }
    let span = tree.span.joined(token.span)
    return SyntaxError(
      PredicateSyntaxFacts.notBeforeOperator(cursor.text(next)), at: token.span,
      fixIt: FixIt(span, "NOT " + cursor.text(tree.span)))
  }

  private func isNull(_ word: Token) -> SyntaxError? {
    var ahead = cursor
    ahead.take()
    let isNegated = ahead.token.is(.not)
    if isNegated { ahead.take() }
    guard ahead.token.is(.null) || ahead.token.is(.nil) else { return nil }
    let span = word.span.joined(ahead.token.span)
    let fix = FixIt(span, isNegated ? "!= NULL" : "== NULL")
    return SyntaxError(PredicateSyntaxFacts.isNull(negated: isNegated), at: span, fixIt: fix)
  }

  /// Operators of other languages: `===`, `%`, comments.
  private func habit(_ token: Token) -> SyntaxError? {
    switch token.kind {
    case .symbol(.tripleEqual), .symbol(.bangDoubleEqual):
      let text = cursor.text(token)
      return SyntaxError(
        PredicateSyntaxFacts.strangeEquality(text), at: token.span,
        fixIt: FixIt(token.span, String(text.dropLast())))
    case .symbol(.percent): return SyntaxError(PredicateSyntaxFacts.noModulus, at: token.span)
    case .specifier:
      let text = cursor.text(token)
      return SyntaxError(
        text == "%%" ? PredicateSyntaxFacts.noModulus : .placeholder(text), at: token.span)
    default: return nil
    }
  }

  /// `.5`, `/* … */`, `// …`: what stands where a value is wanted.
  private func pointless(_ token: Token) -> SyntaxError? {
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

  /// `a < b < c`
  func chainError(_ left: ExpressionTree, _ span: SourceSpan) -> SyntaxError {
    SyntaxError(
      PredicateSyntaxFacts.comparisonChain, at: span.joined(required.span))
  }

  /// `age BETWEEN 1 AND 9`
  func checkBounds(of left: PredicateTree, _ right: Operand) throws(SyntaxError) {
    guard case .expression(let upper) = right, case .comparison(let comparison) = left.kind,
      comparison.operation == .between
    else { return }
    let lower = comparison.right
    if case .aggregate = lower.kind { return }
    let span = lower.span.joined(upper.span)
    throw SyntaxError(
      PredicateSyntaxFacts.betweenAnd, at: span,
      fixIt: FixIt(span, "{\(cursor.text(lower.span)), \(cursor.text(upper.span))}"))
  }

  /// `x IN (1, 2)`: parentheses with a comma in them where a list is wanted.
  func listFix(_ bracket: Token) -> SyntaxError? {
    var ahead = cursor
    let depth = ahead.depth
    var hasComma = false
    repeat {
      let token = ahead.take()
      if token.is(.comma), ahead.depth == depth + 1 { hasComma = true }
      if token.end != nil { return nil }
      if case .invalid = token.kind { return nil }
    } while ahead.depth > depth
    guard hasComma else { return nil }
    let span = bracket.span.joined(ahead.lastSpan)
    let inside = SourceSpan(bracket.span.end, ahead.lastSpan.start)
    return SyntaxError(
      PredicateSyntaxFacts.listInParentheses, at: span,
      fixIt: FixIt(span, "{\(cursor.text(inside))}"))
  }

  /// `title.hasPrefix("x")`
  func methodCall(_ tree: ExpressionTree) -> SyntaxError {
    guard case .keyPath(let path) = tree.kind, let last = path.components.last else {
      return expected(.end)
    }
    return SyntaxError(PredicateSyntaxFacts.methodCall(last.name), at: last.span)
  }
}
