import KuraDiagnostics

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
