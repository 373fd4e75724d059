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
    if let error = foreignOperator(token) ?? timeWithoutQuotes(token) { return error }
    guard token.kind == .word else { return expected(wanted) }
    if let error = wordBehindString(token) { return error }
    let word = cursor.text(token)
    let candidates = ["AND", "OR"] + ComparisonOperator.words
    let near = nearNames(to: word, among: candidates)
    let isPreposition = ["of", "on", "to", "is", "as", "by"].contains(word.lowercased())
    guard !near.isEmpty, token.keyword == nil, word.utf8.count > 1, !isPreposition else {
      return expected(wanted)
    }
    return unknownOperator(token, near)
  }

  /// `date > 9:00`
  private func timeWithoutQuotes(_ colon: Token) -> SyntaxError? {
    let next = cursor.peek()
    guard cursor.text(colon) == ":", colon.isAdjacent, next.isAdjacent, next.kind == .number,
      (1...2).contains(cursor.text(lastSpan).utf8.count), cursor.text(next).utf8.count == 2,
      Int(cursor.text(lastSpan)) != nil
    else { return nil }
    let span = lastSpan.joined(next.span)
    let text = cursor.text(span)
    return SyntaxError(
      PredicateSyntaxFacts.timeWithoutQuotes(text), at: span, fixIt: FixIt(span, "\"\(text)\""))
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
    if let error = wordyOperator(token) ?? sqlHabit(tree, token) ?? fullWidthWord(token) {
      return error
    }
    let isClause = clauseWords.contains { $0 == word.lowercased() }
    if isClause || InfixOperator(token) != nil || optional.end != nil {
      return bareValue(tree, nil)
    }
    if let error = foreignOperator(token) ?? blankInKey(tree, token) {
      return error
    }
    let known = ForeignWord.comparison(for: word).map { [$0] }
    return unknownOperator(token, known ?? nearNames(to: word, among: ComparisonOperator.words))
  }

  private func bareValue(_ tree: ExpressionTree, _ end: Token.End?) -> SyntaxError {
    SyntaxError(
      PredicateSyntaxFacts.bareValue(cursor.text(tree.span), end), at: tree.span,
      fixIts: wholeComparisons(of: tree))
  }

  /// Where a value alone is enough, as in `print x NOT IN y`, it would be what follows that is wrong.
  func checkHabit(after tree: ExpressionTree) throws(SyntaxError) {
    let token = optional
    guard token.is(.not) || cursor.isWord(token, "is") else { return }
    if let error = wordyOperator(token) { throw error }
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
    if token.is(.dot), next.kind == .word, next.isAdjacent, !token.isAdjacent {
      return SyntaxError(
        PredicateSyntaxFacts.unexpected(wanted, found: cursor.text(token)), at: token.span,
        fixIt: FixIt(token.span, ""))
    }
    let opensComment = token.is(.star) || token.is(.slash) || token.is(.doubleStar)
    guard opensComment, token.isAdjacent, cursor.text(lastSpan) == "/" else { return nil }
    return SyntaxError(
      PredicateSyntaxFacts.comment(inStatement: cursor.isStatement),
      at: lastSpan.joined(token.span))
  }
}

extension PredicateParser {
  /// The error of a token that is none.
  package func lexical(_ problem: LexicalProblem, _ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    switch problem {
    case .unclosedQuote: return unclosedQuote(token)
    case .numberWithLetters:
      let digits = text.filter { $0 != "_" }
      let meant = digits.utf8.allSatisfy(\.isDigit) ? digits : nil
      return SyntaxError(
        PredicateSyntaxFacts.numberWithLetters(text, meant: meant), at: token.span,
        fixIt: FixIt(token.span, meant ?? "\"\(text)\""))
    case .numberWithoutDigits:
      return SyntaxError(PredicateSyntaxFacts.numberWithoutDigits(text), at: token.span)
    case .missingName: return missingName(token)
    case .unknownCharacter:
      return SyntaxError(PredicateSyntaxFacts.unknownCharacter(text), at: token.span)
    case .lookalike: return lookalike(token)
    case .notUTF8: return SyntaxError(PredicateSyntaxFacts.notUTF8, at: token.span)
    }
  }

  /// `$` alone, or `@"text"` as in Objective-C.
  private func missingName(_ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    let next = cursor.peek()
    guard text == "@", next.kind == .string, next.isAdjacent else {
      return SyntaxError(PredicateSyntaxFacts.missingName(text), at: token.span)
    }
    return SyntaxError(
      PredicateSyntaxFacts.signBeforeString, at: token.span, fixIt: FixIt(token.span, ""))
  }

  /// At the quote that opens it, unless a mark like it closes it.
  private func unclosedQuote(_ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    let start = token.span.start
    let open = SourceSpan(start, start + (text.hasPrefix("#") ? 2 : 1))
    let quote = text.hasPrefix("'") ? "'" : "\""
    if let error = lookalikeQuote(token, quote) { return error }
    let before = cursor.bytes(SourceSpan(lastSpan.start, start))
    let followsString = lastSpan.end > 0 && isInApostrophe(before)
    return SyntaxError(
      PredicateSyntaxFacts.unclosedQuote(quote, followsString: followsString), at: open,
      fixIt: followsString ? escapingQuote() : nil)
  }

  /// `"誕生”`: closed with another mark than it was opened with.
  private func lookalikeQuote(_ token: Token, _ quote: String) -> SyntaxError? {
    let text = cursor.textInPlace(token.span)
    let line = text.unicodeScalars.prefix { $0 != "\n" }
    guard let place = line.lastIndex(where: { Lookalike.meaning(of: $0) == quote })
    else { return nil }
    let start = token.span.start + text[..<place].utf8.count
    let mark = text.unicodeScalars[place]
    let span = SourceSpan(start, start + mark.utf8.count)
    return SyntaxError(
      PredicateSyntaxFacts.lookalike(String(mark), meaning: quote), at: span,
      fixIt: FixIt(span, quote))
  }

  /// A word that touches the end of a string: `'JR's Pad'`, `"say "hi""`.
  func wordBehindString(_ token: Token) -> SyntaxError? {
    guard token.isAdjacent, let quote = cursor.bytes(lastSpan).last,
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
    else { return nil }
    return SyntaxError(
      PredicateSyntaxFacts.textBehindString(
        cursor.text(token), quote: quote == UInt8(ascii: "'") ? "'" : "\""), at: token.span,
      fixIt: escapingQuote())
  }

  /// A backslash before the quote that ended the last string too early.
  private func escapingQuote() -> FixIt {
    let place = max(lastSpan.start, lastSpan.end - 1)
    return FixIt(SourceSpan(place, place), "\\")
  }

  /// Whether what stands before ended with the same quote: `'kellogg''`, `'JR's Pad'`.
  private func isInApostrophe(_ before: ArraySlice<UInt8>) -> Bool {
    guard let last = before.last else { return false }
    return last == UInt8(ascii: "'") || last == UInt8(ascii: "\"")
  }
}
