import KuraDiagnostics
import KuraValues

extension PredicateParser {
  /// Reads the operator, its options and what stands on the right.
  func comparison(
    _ left: ExpressionTree, _ operation: ComparisonOperator, modifier: ComparisonModifier
  ) throws(SyntaxError) -> PredicateTree {
    let leftHeight = height
    let place = takeOperator(operation)
    let options = try optionalOptions()
    let right = try rightSide(of: operation, at: place)
    let span = left.span.joined(lastSpan)
    try grow(above: max(leftHeight, height), at: place)
    if let next = infix(optional, .comparison), case .comparison = next {
      throw chainError(left, span)
    }
    warnAboutPattern(operation, right)
    return PredicateTree(
      .comparison(
        Comparison(
          left, operation, options: options, right, modifier: modifier, operationSpan: place)),
      span: span)
  }

  private func rightSide(
    of operation: ComparisonOperator, at place: SourceSpan
  ) throws(SyntaxError) -> ExpressionTree {
    let first = required
    if operation == .in, first.is(.leftParenthesis), let fix = listFix(first) { throw fix }
    return try expression(Precedence.comparison.tighter)
  }

  private func takeOperator(_ operation: ComparisonOperator) -> SourceSpan {
    let first = take().span
    guard case .selector(let name) = operation else { return first }
    while lastSpan.end < first.start + name.utf8.count { take() }
    return first.joined(lastSpan)
  }

  /// `SELF isKindOfClass: x`: a word with a colon where an operator may stand.
  func selectorOperator(_ token: Token, _ minimum: Precedence) -> InfixOperator? {
    guard token.kind == .word, token.keyword == nil, minimum <= .comparison else { return nil }
    guard let end = selectorEnd(from: token) else { return nil }
    return .comparison(.selector(cursor.text(SourceSpan(token.span.start, end))))
  }

  /// The end of `word:` or `word:word:`, where the cursor stands at the word; nil if it is none.
  private func selectorEnd(from word: Token) -> Int? {
    var ahead = cursor
    var end: Int?
    while ahead.token.kind == .word, end == nil || ahead.token.isAdjacent {
      ahead.take()
      guard ahead.token.is(.colon), ahead.token.isAdjacent else { break }
      end = ahead.take().span.end
    }
    return end
  }

  /// `[cd]`, with blanks before and inside it.
  func optionalOptions() throws(SyntaxError) -> ComparisonOptions {
    guard optional.is(.leftBracket) else { return [] }
    let bracket = take()
    var options: ComparisonOptions = []
    while required.kind == .word { options.formUnion(try takeLetters()) }
    guard required.is(.rightBracket) else {
      throw required.end != nil ? unclosed(bracket) : expected(.options)
    }
    take()
    guard !options.isEmpty else {
      throw SyntaxError(
        PredicateSyntaxFacts.emptyOptions, at: bracket.span.joined(lastSpan))
    }
    return options
  }

  private func takeLetters() throws(SyntaxError) -> ComparisonOptions {
    let token = take()
    let (options, wrong) = ComparisonOptions.reading(cursor.text(token))
    guard let wrong else { return options }
    throw SyntaxError(PredicateSyntaxFacts.unknownOption(String(wrong)), at: token.span)
  }

  /// Warns of `\b` on the right of MATCHES, which is a backspace and was meant as a boundary.
  private func warnAboutPattern(_ operation: ComparisonOperator, _ right: ExpressionTree) {
    guard operation == .matches, cursor.isStatement, case .constant = right.kind else { return }
    let bytes = cursor.bytes(right.span)
    guard bytes.first == UInt8(ascii: "\"") || bytes.first == UInt8(ascii: "'") else { return }
    for offset in StringLiteral(quoted: bytes).backspaces {
      let start = right.span.start + offset - bytes.startIndex
      warn(.backspaceInPattern, at: SourceSpan(start, start + 2), fix: "\\\\b")
    }
  }

  func warn(_ facts: PredicateSyntaxFacts, at span: SourceSpan, fix: String) {
    warnings.append(Diagnostic(facts, at: span, fixIt: FixIt(span, fix), severity: .warning))
  }
}
