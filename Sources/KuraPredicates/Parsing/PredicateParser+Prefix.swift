import KuraDiagnostics
import KuraValues

extension PredicateParser {
  /// Reads one operand with what stands before it: `NOT x == 1`, `ANY tags == "x"`, `-a`.
  func prefix(_ minimum: Precedence) throws(SyntaxError) -> Operand {
    let token = required
    switch token.kind {
    case .symbol(.bang): return .predicate(try negation())
    case .symbol(.minus), .symbol(.tilde): return .expression(try unary())
    case .word: return try prefixWord(token.keyword, minimum)
    default: return try postfix(minimum)
    }
  }

  private func prefixWord(
    _ keyword: Keyword?, _ minimum: Precedence
  ) throws(SyntaxError) -> Operand {
    switch keyword {
    case .not: return .predicate(try negation())
    case .anyOf, .someOf: return .predicate(try quantified(.any))
    case .allOf: return .predicate(try quantified(.all))
    case .noneOf: return .predicate(try quantified(.any, isNegated: true))
    case .truePredicate: return .predicate(constant(true))
    case .falsePredicate: return .predicate(constant(false))
    default: return try postfix(minimum)
    }
  }

  private func constant(_ answer: Bool) -> PredicateTree {
    height = 1
    return PredicateTree(.constant(answer), span: take().span)
  }

  /// `NOT NOT a == 1`: however many there are, without recursion.
  private func negation() throws(SyntaxError) -> PredicateTree {
    var words: [SourceSpan] = []
    while required.is(.not) || required.is(.bang) {
      words.append(take().span)
    }
    var tree = try prefixed(by: lastSpan) { () throws(SyntaxError) in try condition(.comparison) }
    for word in words.reversed() {
      try grow(above: height, at: word)
      tree = PredicateTree(.not(tree), span: word.joined(tree.span))
    }
    return tree
  }

  /// `ANY tags.name == "x"`; NONE is NOT of ANY.
  private func quantified(
    _ modifier: ComparisonModifier, isNegated: Bool = false
  ) throws(SyntaxError) -> PredicateTree {
    let word = take()
    if InfixOperator(required) != nil, !required.is(Symbol.minus) {
      throw reserved(word)
    }
    let found = try inside(.quantified) { () throws(SyntaxError) in
      try prefixed(by: word.span) { () throws(SyntaxError) in
        let left = try operand(Precedence.comparison.tighter)
        if case .expression(let tree) = left { noteEnd(.infix(after: tree, mayCompare: true)) }
        return left
      }
    }
    if case .predicate(let tree) = found { throw quantifiedPredicate(word, tree) }
    let left = try value(found)
    guard case .comparison(let operation) = infix(required, .comparison) else {
      throw missingComparison(after: left)
    }
    var tree = try comparison(left, operation, modifier: modifier)
    tree.span = word.span.joined(tree.span)
    guard isNegated else { return tree }
    try grow(above: height, at: word.span)
    return PredicateTree(.not(tree), span: tree.span)
  }

  /// `-a`, `~a`, `- -a`; minus before a number belongs to the number.
  private func unary() throws(SyntaxError) -> ExpressionTree {
    var signs: [Token] = []
    while required.is(Symbol.minus) || required.is(.tilde) { signs.append(take()) }
    let number = required
    let operand = try postfix(.unary)
    var tree = try value(operand)
    if let last = signs.last, last.is(Symbol.minus), number.kind == .number,
      lastSpan == number.span
    {
      tree = try negative(number, sign: signs.removeLast())
    }
    for sign in signs.reversed() { tree = try applying(sign, to: tree) }
    return tree
  }

  private func negative(_ number: Token, sign: Token) throws(SyntaxError) -> ExpressionTree {
    let span = sign.span.joined(number.span)
    guard let constant = NumberLiteral.constant(cursor.text(number), isNegative: true) else {
      throw SyntaxError(PredicateSyntaxFacts.numberTooLarge(cursor.text(number)), at: span)
    }
    return ExpressionTree(.constant(constant), span: span)
  }

  /// Minus is subtraction from zero, as it prints.
  private func applying(
    _ sign: Token, to tree: ExpressionTree
  ) throws(SyntaxError) -> ExpressionTree {
    try grow(above: height, at: sign.span)
    let zero = ExpressionTree(.constant(Constant(.integer(0))), span: sign.span)
    let call =
      sign.is(Symbol.minus)
      ? FunctionCall(.subtract, [zero, tree], nameSpan: sign.span)
      : FunctionCall(.onesComplement, [tree], nameSpan: sign.span)
    return ExpressionTree(.function(call), span: sign.span.joined(tree.span))
  }
}
