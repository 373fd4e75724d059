import KuraDiagnostics
import KuraPredicates
import KuraScript

// What is written beside an operator and belongs into it, or is no value of its own.
extension RepairGuesses {
  /// `CONTAINS[c] "cat"` for `CONTAINS "cat" [c]`
  var optionsBehind: [FixIt] {
    guard let letters = token(0), let bracket = token(-1), bracket.is(.leftBracket),
      let value = token(-2), value.kind == .string, let end = token(1), end.is(.rightBracket),
      let sign = token(-3), takesOptions(sign), text(letters.span).isOptions
    else { return [] }
    return [
      FixIt(edits: [
        TextEdit(sign.behind, "[\(text(letters.span).lowercased())]"),
        TextEdit(SourceSpan(value.span.end, end.span.end), ""),
      ])
    ]
  }

  /// `CONTAINS[cd] "cat"` for `CONTAINS[c] and CONTAINS[d] "cat"`
  var optionsApart: [FixIt] {
    guard place >= 4, place + 4 < tokens.count, tokens[place - 3].is(.leftBracket),
      tokens[place - 1].is(.rightBracket), takesOptions(tokens[place - 4]),
      text(tokens[place + 1].span).lowercased() == text(tokens[place - 4].span).lowercased(),
      tokens[place + 2].is(.leftBracket), tokens[place + 4].is(.rightBracket)
    else { return [] }
    let letters = [place - 2, place + 3].map { text(tokens[$0].span).lowercased() }
    guard letters.allSatisfy(\.isOptions) else { return [] }
    let span = SourceSpan(tokens[place - 3].span.start, tokens[place + 4].span.end)
    return [FixIt(span, "[\(letters.joined())]")]
  }

  private func takesOptions(_ token: Token) -> Bool {
    ComparisonOperator.words.contains(text(token.span).uppercased()) || token.is(.equal)
      || token.is(.doubleEqual) || token.is(.bangEqual)
  }

  /// `LIKE "?2"` for `LIKE ?2`, and `LIKE "*"` for `LIKE *`
  var wildcards: [FixIt] {
    guard let first = token(0), "?*".contains(text(first.span).prefix(1)),
      let sign = operatorBefore,
      text(sign.span).lowercased() == "like"
    else { return [] }
    let end = bytes[first.span.start...].firstIndex { $0 <= 0x20 } ?? bytes.count
    let span = SourceSpan(first.span.start, end)
    return [FixIt(span, "\"\(text(span))\"")]
  }

  /// `LIKE "*sea*"` for `MATCHES "*sea*"`, and `CONTAINS "(a"` for `MATCHES "(a"`, of a pattern that
  /// is none.
  var plainTexts: [FixIt] {
    guard case .badPattern? = failure,
      let pattern = tokens[place...].firstIndex(where: { $0.kind == .string }),
      let sign = tokens[..<pattern].last(where: { $0.kind == .word }),
      text(sign.span).lowercased() == "matches"
    else { return [] }
    let hasWildcards = text(tokens[pattern].span).contains { "*?%".contains($0) }
    return [FixIt(sign.span, hasWildcards ? "LIKE" : "CONTAINS")]
  }

  /// `title, pages` for `title and pages`, where columns were meant and no truth.
  var columnsApart: [FixIt] {
    guard case .noTruth? = failure,
      let word = tokens[place...].first(where: { $0.is(.and) || $0.is(.or) }),
      let before = tokens.last(where: { $0.span.end <= word.span.start })
    else { return [] }
    return [FixIt(SourceSpan(before.span.end, word.span.end), ",")]
  }

  /// `!= NULL` for `== *`: whatever value it has.
  var anything: [FixIt] {
    guard let star = token(0), text(star.span) == "*", let sign = token(-1) else { return [] }
    let isEqual = sign.is(.equal) || sign.is(.doubleEqual)
    guard isEqual || sign.is(.bangEqual) else { return [] }
    return [FixIt(sign.span.joined(star.span), isEqual ? "!= NULL" : "== NULL")]
  }

  /// The operator right before the place, with its options or without.
  private var operatorBefore: Token? {
    guard let before = token(-1), before.is(.rightBracket) else { return token(-1) }
    return token(-4)
  }
}

extension Token {
  fileprivate var behind: SourceSpan { SourceSpan(span.end, span.end) }
}

extension String {
  /// Whether it is the letters of options, as `cd` is.
  fileprivate var isOptions: Bool {
    !isEmpty && utf8.count <= 4 && lowercased().allSatisfy { "cdnlw".contains($0) }
  }
}
