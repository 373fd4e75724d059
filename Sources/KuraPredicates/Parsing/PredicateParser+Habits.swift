import KuraDiagnostics
import KuraValues

// What other languages taught a person's fingers.
extension PredicateParser {
  /// `x IS NOT NULL`, `x NOT IN y`
  func sqlHabit(_ tree: ExpressionTree, _ token: Token) -> SyntaxError? {
    if cursor.isWord(token, "is") { return isOperator(token) }
    let next = cursor.peek()
    guard token.is(.not) else { return nil }
    guard case .comparison? = InfixOperator(next) else { return notEqual(token, next) }
    let span = tree.span.joined(token.span)
    let left = cursor.text(tree.span)
    return SyntaxError(
      PredicateSyntaxFacts.notBeforeOperator(cursor.text(next), left: left), at: token.span,
      fixIt: FixIt(span, "NOT " + left))
  }

  /// `category not "Private"`
  private func notEqual(_ word: Token, _ value: Token) -> SyntaxError? {
    let isWord =
      value.kind == .word && value.keyword.map { [.null, .nil, .yes, .no].contains($0) } ?? true
    guard value.kind == .string || value.kind == .number || value.kind == .variable || isWord else {
      return nil
    }
    return SyntaxError(
      PredicateSyntaxFacts.unknownOperator(cursor.text(word), near: ["!="]), at: word.span,
      fixIt: FixIt(word.span, "!="))
  }

  /// `x IS NULL`, `x IS NOT 3`
  private func isOperator(_ word: Token) -> SyntaxError? {
    var ahead = cursor
    ahead.take()
    let isNegated = ahead.token.is(.not)
    if isNegated { ahead.take() }
    let operation = isNegated ? "!=" : "=="
    guard WrittenTruth.isNull(ahead.text(ahead.token)) else {
      let span = isNegated ? word.span.joined(ahead.lastSpan) : word.span
      return SyntaxError(
        PredicateSyntaxFacts.isOperator(operation), at: span, fixIt: FixIt(span, operation))
    }
    let span = word.span.joined(ahead.token.span)
    return SyntaxError(
      PredicateSyntaxFacts.isOperator(operation + " NULL"), at: span,
      fixIt: FixIt(span, operation + " NULL"))
  }

  /// Operators of other languages: `===`, `%`, `%@` without arguments.
  func habit(_ token: Token) -> SyntaxError? {
    switch token.kind {
    case .symbol(.tripleEqual), .symbol(.bangDoubleEqual):
      let text = cursor.text(token)
      return SyntaxError(
        PredicateSyntaxFacts.strangeEquality(text), at: token.span,
        fixIt: FixIt(token.span, String(text.dropLast())))
    case .symbol(.percent): return percent(token)
    case .specifier:
      let text = cursor.text(token)
      return SyntaxError(
        text == "%%" ? PredicateSyntaxFacts.noModulus("%") : .placeholder(text), at: token.span,
        fixIts: filledPlaceholders(from: token))
    default: return nil
    }
  }

  /// `%`, or in a statement `%@`
  private func percent(_ token: Token) -> SyntaxError {
    let next = cursor.peek()
    let text = cursor.text(next)
    guard cursor.isStatement, next.isAdjacent, text.hasPrefix("@") || text == "K" else {
      return SyntaxError(PredicateSyntaxFacts.noModulus("%"), at: token.span)
    }
    let span = SourceSpan(token.span.start, next.span.start + 1)
    return SyntaxError(
      PredicateSyntaxFacts.placeholder(cursor.text(span)), at: span,
      fixIts: filledPlaceholders(from: token))
  }

  /// `a ? 1 : 2`, `a ?? b`, `a MOD 2`, `a XOR b`: what stands where an operator is wanted.
  func foreignOperator(_ token: Token) -> SyntaxError? {
    let next = cursor.peek()
    if token.is(.question) {
      let isDouble = next.is(.question) && next.isAdjacent
      return SyntaxError(
        isDouble ? PredicateSyntaxFacts.noCoalescing : .noConditional,
        at: isDouble ? token.span.joined(next.span) : token.span)
    }
    if token.is(.comma), cursor.depth == 0 {
      return SyntaxError(PredicateSyntaxFacts.comma, at: token.span)
    }
    if token.is(.bang), next.is(.equal) || next.is(.doubleEqual) {
      return brokenOperator(token.span.joined(next.span), meant: "!=")
    }
    if token.is(.bang), next.is(.tilde), next.isAdjacent {
      return SyntaxError(
        PredicateSyntaxFacts.unknownOperator("!~", near: []), at: token.span.joined(next.span))
    }
    guard token.kind == .word, token.keyword == nil else { return nil }
    if cursor.isWord(token, "mod") {
      return SyntaxError(PredicateSyntaxFacts.noModulus(cursor.text(token)), at: token.span)
    }
    guard cursor.isWord(token, "xor") else { return nil }
    return SyntaxError(PredicateSyntaxFacts.noExclusiveOr, at: token.span)
  }

  /// `+5`
  func needlessSign(_ token: Token) -> SyntaxError? {
    let next = cursor.peek()
    if token.is(.question) {
      return SyntaxError(
        PredicateSyntaxFacts.placeholder("?"), at: token.span,
        fixIts: filledPlaceholders(from: token))
    }
    if token.is(.colon), next.kind == .word, next.isAdjacent {
      let span = token.span.joined(next.span)
      return SyntaxError(
        PredicateSyntaxFacts.parameter(cursor.text(span), cursor.text(next)), at: span,
        fixIt: FixIt(token.span, "$"))
    }
    guard token.is(Symbol.plus) else { return nil }
    return SyntaxError(
      PredicateSyntaxFacts.plusSign, at: token.span,
      fixIt: FixIt(SourceSpan(token.span.start, cursor.peek().span.start), ""))
  }
}

extension PredicateParser {
  /// `a = = b`, `a > = b`, `a =! b`, `a =~ "b"`: an operator in two pieces, the wrong way round, or of
  /// other languages.
  func checkPieces(of operation: ComparisonOperator, at place: SourceSpan) throws(SyntaxError) {
    let next = required
    guard case .symbol(let symbol) = next.kind else { return }
    let span = place.joined(next.span)
    if symbol == .bang, operation == .equal, next.isAdjacent {
      throw brokenOperator(span, meant: "!=")
    }
    if symbol == .tilde, operation == .equal, next.isAdjacent, cursor.peek().kind == .string {
      throw SyntaxError(
        PredicateSyntaxFacts.unknownOperator(cursor.text(span), near: ["MATCHES"]), at: span,
        fixIt: FixIt(span, "MATCHES"))
    }
    guard case .comparison? = InfixOperator(next) else { return }
    let joined = cursor.text(span).filter { !$0.isWhitespace }
    let known = ["==", "!=", "<=", ">=", "<>", "=<", "=>"].contains(joined)
    throw brokenOperator(span, meant: known ? joined : joined == "===" ? "==" : nil)
  }

  private func brokenOperator(_ span: SourceSpan, meant: String?) -> SyntaxError {
    SyntaxError(
      PredicateSyntaxFacts.brokenOperator(cursor.text(span), meant: meant), at: span,
      fixIt: meant.map { FixIt(span, $0) })
  }

  /// `a < b < c`, `a == 1 & b == 2`
  func chainError(
    _ left: PredicateTree, _ comparison: ComparisonOperator, _ right: ExpressionTree
  ) -> SyntaxError {
    let next = required
    if case .function(let call) = right.kind, let error = bitsForLogic(call) { return error }
    let canSplit = comparison.isOrder && (InfixOperator(next)?.isOrder ?? false)
    let end = SourceSpan(right.span.end, right.span.end)
    return SyntaxError(
      PredicateSyntaxFacts.comparisonChain, at: left.span.joined(next.span),
      fixIt: canSplit ? FixIt(end, " AND " + cursor.text(right.span)) : nil)
  }

  private func bitsForLogic(_ call: FunctionCall) -> SyntaxError? {
    let sign = cursor.text(call.nameSpan)
    guard sign == "&" || sign == "|" else { return nil }
    let word = sign == "&" ? "AND" : "OR"
    return SyntaxError(
      PredicateSyntaxFacts.bitsForLogic(sign, meant: word), at: call.nameSpan,
      fixIt: FixIt(call.nameSpan, word))
  }

  /// `age BETWEEN 1 AND 9`
  func checkBounds(of left: PredicateTree, _ right: Operand) throws(SyntaxError) {
    guard case .expression(let upper) = right, case .comparison(let comparison) = left.kind,
      comparison.operation == .between
    else { return }
    let lower = comparison.right
    if case .aggregate = lower.kind { return }
    let span = lower.span.joined(upper.span)
    let bounds = "{\(cursor.text(lower.span)), \(cursor.text(upper.span))}"
    throw SyntaxError(
      PredicateSyntaxFacts.betweenAnd(bounds: bounds), at: span, fixIt: FixIt(span, bounds))
  }

  /// `ANY (items.done == NO)`
  func quantifiedPredicate(_ word: Token, _ tree: PredicateTree) -> SyntaxError {
    var inside = tree.span
    if case .comparison = tree.kind, cursor.bytes(inside).first == UInt8(ascii: "(") {
      inside = SourceSpan(inside.start + 1, max(inside.start + 1, inside.end - 1))
      return SyntaxError(
        PredicateSyntaxFacts.modifierBeforePredicate(cursor.text(word)), at: tree.span,
        fixIt: FixIt(tree.span, cursor.text(inside)))
    }
    return SyntaxError(
      PredicateSyntaxFacts.modifierBeforePredicate(cursor.text(word)), at: tree.span)
  }

  /// `first name == "x"`: two words where one key is meant.
  func blankInKey(_ tree: ExpressionTree, _ token: Token) -> SyntaxError? {
    guard case .keyPath(let path) = tree.kind, path.base == nil, path.components.count == 1,
      case .comparison? = InfixOperator(cursor.peek()), ForeignWord.isUnknown(cursor.text(token))
    else { return nil }
    let span = tree.span.joined(token.span)
    let key = "#\"\(cursor.text(span))\""
    return SyntaxError(
      PredicateSyntaxFacts.blankInKey(cursor.text(token), key: key), at: token.span,
      fixIt: FixIt(span, key))
  }
}

extension ForeignWord {
  /// Whether the word is neither an operator of another language nor near to one of this one.
  fileprivate static func isUnknown(_ word: String) -> Bool {
    comparison(for: word) == nil && nearNames(to: word, among: ComparisonOperator.words).isEmpty
  }
}

extension InfixOperator {
  fileprivate var isOrder: Bool {
    if case .comparison(let operation) = self { operation.isOrder } else { false }
  }
}

extension ComparisonOperator {
  /// Whether it is one of `<` `<=` `>` `>=`.
  fileprivate var isOrder: Bool {
    self == .less || self == .lessOrEqual || self == .greater || self == .greaterOrEqual
  }
}
