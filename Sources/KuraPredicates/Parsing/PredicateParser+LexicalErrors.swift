import KuraDiagnostics

extension PredicateParser {
  /// The error of a token that is none.
  package func lexical(_ problem: LexicalProblem, _ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    switch problem {
    case .unclosedQuote: return unclosedQuote(token)
    case .numberWithLetters:
      return SyntaxError(
        PredicateSyntaxFacts.numberWithLetters(text), at: token.span,
        fixIt: FixIt(token.span, "\"\(text)\""))
    case .numberWithoutDigits:
      return SyntaxError(PredicateSyntaxFacts.numberWithoutDigits(text), at: token.span)
    case .missingName: return SyntaxError(PredicateSyntaxFacts.missingName(text), at: token.span)
    case .unknownCharacter:
      return SyntaxError(PredicateSyntaxFacts.unknownCharacter(text), at: token.span)
    case .lookalike: return lookalike(token)
    case .notUTF8: return SyntaxError(PredicateSyntaxFacts.notUTF8, at: token.span)
    }
  }

  /// At the quote that opens it.
  private func unclosedQuote(_ token: Token) -> SyntaxError {
    let start = token.span.start
    let quote = SourceSpan(start, start + (cursor.text(token).hasPrefix("#") ? 2 : 1))
    let before = cursor.bytes(SourceSpan(lastSpan.start, start))
    let followsString = lastSpan.end > 0 && isInApostrophe(before)
    return SyntaxError(
      PredicateSyntaxFacts.unclosedQuote(followsString: followsString), at: quote)
  }

  /// Whether what stands before ended with the same quote: `'kellogg''`, `'JR's Pad'`.
  private func isInApostrophe(_ before: ArraySlice<UInt8>) -> Bool {
    guard let last = before.last else { return false }
    return last == UInt8(ascii: "'") || last == UInt8(ascii: "\"")
  }

  private func lookalike(_ token: Token) -> SyntaxError {
    let text = cursor.text(token)
    guard let scalar = text.unicodeScalars.first, let meaning = Lookalike.meaning(of: scalar)
    else { return SyntaxError(PredicateSyntaxFacts.unknownCharacter(text), at: token.span) }
    let fix =
      meaning == "\"" || meaning == "'"
      ? quoted(from: token, quote: meaning) : FixIt(token.span, meaning)
    return SyntaxError(
      PredicateSyntaxFacts.lookalike(text, meaning: meaning), at: token.span, fixIt: fix)
  }

  /// `"誕生"` for `“誕生”`, where the line has both marks.
  private func quoted(from token: Token, quote: String) -> FixIt {
    let rest = cursor.text(SourceSpan(token.span.end, cursor.endOffset))
    let line = rest.prefix { !$0.isNewline }
    guard let end = line.unicodeScalars.firstIndex(where: { Lookalike.meaning(of: $0) == quote })
    else { return FixIt(token.span, quote) }
    let inside = String(line[..<end])
    let length = inside.utf8.count + line.unicodeScalars[end].utf8.count
    let escaped = inside.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote)
    return FixIt(
      SourceSpan(token.span.start, token.span.end + length), quote + escaped + quote)
  }
}
