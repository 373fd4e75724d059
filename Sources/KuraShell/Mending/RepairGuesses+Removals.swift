import KuraDiagnostics
import KuraPredicates
import KuraScript

// What may be left out.
extension RepairGuesses {
  /// A sign or word that is too much: never a value, which somebody has typed for something.
  var removals: [FixIt] {
    let single = [0, -1, -2].compactMap(token)
    let pairs = [(0, 1), (-1, 0)].compactMap { first, last -> FixIt? in
      guard let one = token(first), let two = token(last), text(one.span).lowercased() == "as",
        two.kind == .word
      else { return nil }
      return FixIt(withBlank(one.span.joined(two.span)), "")
    }
    return single.compactMap { token in
      // What is left must still begin with the word that it began with.
      guard token.span != tokens.first?.span, !changesMeaning(token) else { return nil }
      switch token.kind {
      case .word where isDoubled(token): return FixIt(withBlank(token.span), "")
      case .word where token.keyword != nil && !token.is(.and) && !token.is(.or): return nil
      case .word where isClause(token): return nil
      case .invalid where text(token.span).contains(where: { $0.isLetter || $0.isNumber }):
        return nil
      case .word, .symbol, .invalid: return FixIt(withBlank(token.span), "")
      default: return nil
      }
    } + pairs
  }

  /// Whether it turns a question round, or stands between two values as a range or a sum does.
  private func changesMeaning(_ token: Token) -> Bool {
    if Self.turningWords.contains(text(token.span).lowercased()) { return true }
    guard let place = tokens.firstIndex(where: { $0.span == token.span }), place > 0 else {
      return false
    }
    if isLoneOperator(at: place) { return true }
    guard place + 1 < tokens.count else { return false }
    if isSign(token), isSign(tokens[place - 1]) || isSign(tokens[place + 1]) { return true }
    return isLiteral(tokens[place - 1]) && isLiteral(tokens[place + 1])
  }

  /// Whether it is the operator of a condition that lacks a value, as in `title == AND done == NO`.
  private func isLoneOperator(at place: Int) -> Bool {
    guard Self.comparisons.contains(text(tokens[place].span)) else { return false }
    let before = tokens[..<place].reversed().prefix { !beginsCondition($0) }
    return before.count < place && !before.contains { Self.comparisons.contains(text($0.span)) }
  }

  private func beginsCondition(_ token: Token) -> Bool {
    token.is(.and) || token.is(.or) || token.is(.not)
      || ["where", "having", "("].contains(text(token.span).lowercased())
  }

  private static let comparisons: Set = ["==", "=", "!=", "<>", "<", ">", "<=", ">=", "=<", "=>"]

  /// Whether it may be a part of an operator, as in `=/=`.
  private func isSign(_ token: Token) -> Bool {
    let written = text(token.span)
    return !written.isEmpty && written.allSatisfy { "=<>!/~^-".contains($0) }
  }

  private static let turningWords: Set = [
    "以外", "でない", "ではない", "ない", "not", "except", "without", "neither", "nor", "no", "!", "≠",
  ]

  /// Whether the next word is the same, as in `CONTAINS CONTAINS[cd]`.
  private func isDoubled(_ token: Token) -> Bool {
    guard let place = tokens.firstIndex(where: { $0.span == token.span }), place + 1 < tokens.count
    else { return false }
    return text(tokens[place + 1].span).lowercased() == text(token.span).lowercased()
  }

  /// Whether it begins a clause, which somebody has typed for something, and does not stand twice.
  private func isClause(_ token: Token) -> Bool {
    let word = text(token.span).lowercased()
    return FetchWords.all.contains(word) && !isDoubled(token)
  }

  /// A word and the blank before it.
  func withBlank(_ span: SourceSpan) -> SourceSpan {
    let hasBlank = span.start > 0 && bytes[span.start - 1] == UInt8(ascii: " ")
    return SourceSpan(hasBlank ? span.start - 1 : span.start, span.end)
  }
}
