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
    if options.isEmpty { try checkPieces(of: operation, at: place) }
    let right = try inside(.right(of: left, operation, modifier)) { () throws(SyntaxError) in
      try expression(Precedence.comparison.tighter)
    }
    try grow(above: max(leftHeight, height), at: place)
    let tree = PredicateTree(
      .comparison(
        Comparison(
          left, operation, options: options, right, modifier: modifier, operationSpan: place)),
      span: left.span.joined(lastSpan))
    if let next = infix(optional, .comparison), case .comparison = next {
      throw chainError(tree, operation, right)
    }
    warnAboutPattern(operation, right)
    return tree
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
    noteEnd(.words(["cd]", "c]", "d]", "l]", "n]"]))
    var options: ComparisonOptions = []
    while required.kind == .word { options.formUnion(try takeLetters(behind: bracket)) }
    guard required.is(.rightBracket) else {
      if required.end != nil { throw unclosed(bracket) }
      throw isList(bracket) ? listInBrackets(bracket) : expected(.options)
    }
    take()
    guard !options.isEmpty else {
      throw SyntaxError(
        PredicateSyntaxFacts.emptyOptions, at: bracket.span.joined(lastSpan))
    }
    try checkSecondBracket(options, from: bracket)
    return options
  }

  private func takeLetters(behind bracket: Token) throws(SyntaxError) -> ComparisonOptions {
    let token = required
    let (options, wrong) = ComparisonOptions.reading(cursor.text(token))
    guard let wrong else {
      take()
      return options
    }
    if isList(bracket) { throw listInBrackets(bracket) }
    let before = cursor.text(token).prefix { $0 != wrong }.utf8.count
    let start = token.span.start + before
    let span = SourceSpan(start, start + wrong.utf8.count)
    // As regular expressions of other languages have it.
    let fix = wrong == "i" || wrong == "I" ? FixIt(span, "c") : nil
    throw SyntaxError(PredicateSyntaxFacts.unknownOption(String(wrong)), at: span, fixIt: fix)
  }

  /// `==[c][d]`
  private func checkSecondBracket(
    _ options: ComparisonOptions, from bracket: Token
  ) throws(SyntaxError) {
    guard optional.is(.leftBracket) else { return }
    var ahead = cursor
    ahead.take()
    let (more, wrong) = ComparisonOptions.reading(cursor.text(ahead.take()))
    guard wrong == nil, ahead.take().is(.rightBracket) else { return }
    let span = bracket.span.joined(ahead.lastSpan)
    throw SyntaxError(
      PredicateSyntaxFacts.severalBrackets, at: span,
      fixIt: FixIt(span, "[\(options.union(more).letters)]"))
  }
}
