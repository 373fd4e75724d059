import KuraDiagnostics
import KuraValues

// Lists and calls as other languages write them.
extension PredicateParser {
  /// `(1, 2)` and `[1, 2]` where a list is meant: the cursor stands inside.
  func listInBrackets(_ bracket: Token) -> SyntaxError {
    let inside = textInside(bracket)
    return SyntaxError(
      PredicateSyntaxFacts.listInBrackets(cursor.text(bracket)),
      at: inside.map { SourceSpan(bracket.span.start, $0.end + 1) } ?? bracket.span,
      fixIt: inside.map {
        FixIt(SourceSpan(bracket.span.start, $0.end + 1), "{\(cursor.text($0))}")
      })
  }

  /// The span between a bracket and the one that closes it; the cursor stands inside.
  private func textInside(_ bracket: Token) -> SourceSpan? {
    closing(bracket).map { SourceSpan(bracket.span.end, $0.span.start) }
  }

  /// The token that closes a bracket in which the cursor stands; nil if none does.
  private func closing(_ bracket: Token) -> Token? {
    var ahead = cursor
    let depth = ahead.depth
    while true {
      let token = ahead.take()
      if token.end != nil { return nil }
      if case .invalid = token.kind { return nil }
      guard ahead.depth < depth else { continue }
      guard case .symbol(let symbol) = bracket.kind, let closing = symbol.closing else {
        return nil
      }
      return token.is(closing) ? token : nil
    }
  }

  /// Whether what stands in brackets behind an operator is a list, and no options: nothing that
  /// could be compared follows them.
  func isList(_ bracket: Token) -> Bool {
    guard let end = closing(bracket) else { return false }
    var ahead = cursor
    while ahead.lastSpan.end < end.span.end { ahead.take() }
    let next = ahead.optional
    if next.end != nil || next.is(.comma) || next.is(.and) || next.is(.or) { return true }
    guard case .symbol(let symbol) = next.kind else { return false }
    return symbol.closes || symbol == .doubleAmpersand || symbol == .doubleBar
  }

  /// `title.hasPrefix("x")`; the cursor stands at the bracket.
  func methodCall(_ tree: ExpressionTree) -> SyntaxError {
    guard case .keyPath(let path) = tree.kind, let last = path.components.last else {
      return expected(.end)
    }
    var meant: String?
    var whole = tree.span
    if let arguments = argumentsAhead(), last.span.start > tree.span.start {
      let dot = cursor.bytes(SourceSpan(tree.span.start, last.span.start)).lastIndex(of: 0x2E)
      let start = cursor.bytes(tree.span).startIndex
      let receiver = dot.map { SourceSpan(tree.span.start, tree.span.start + $0 - start) }
      meant = receiver.flatMap {
        MethodName(rawValue: last.name)?.written(cursor.text($0), cursor.text(arguments))
      }
      whole = SourceSpan(tree.span.start, arguments.end + 1)
    }
    return SyntaxError(
      PredicateSyntaxFacts.methodCall(last.name, meant: meant), at: last.span,
      fixIt: meant.map { FixIt(whole, $0) })
  }

  /// What stands in the brackets that open here.
  func argumentsAhead() -> SourceSpan? {
    var ahead = cursor
    let bracket = ahead.take()
    let depth = ahead.depth
    while ahead.depth >= depth {
      let token = ahead.take()
      if token.end != nil { return nil }
      if case .invalid = token.kind { return nil }
    }
    return SourceSpan(bracket.span.end, ahead.lastSpan.start)
  }
}

/// Methods of Swift and Objective-C that are operators or functions here.
enum MethodName: String {
  case contains, localizedStandardContains, localizedCaseInsensitiveContains
  case hasPrefix, hasSuffix, starts, startsWith, endsWith
  case lowercased, uppercased, isEmpty, count, length

  /// `title CONTAINS "x"` for `title.contains("x")`
  func written(_ receiver: String, _ arguments: String) -> String? {
    switch self {
    case .contains: arguments.isEmpty ? nil : "\(receiver) CONTAINS \(arguments)"
    case .localizedStandardContains, .localizedCaseInsensitiveContains:
      arguments.isEmpty ? nil : "\(receiver) CONTAINS[cd] \(arguments)"
    case .hasPrefix, .starts, .startsWith:
      arguments.isEmpty ? nil : "\(receiver) BEGINSWITH \(arguments)"
    case .hasSuffix, .endsWith: arguments.isEmpty ? nil : "\(receiver) ENDSWITH \(arguments)"
    case .lowercased: arguments.isEmpty ? "lowercase(\(receiver))" : nil
    case .uppercased: arguments.isEmpty ? "uppercase(\(receiver))" : nil
    case .isEmpty: arguments.isEmpty ? "length(\(receiver)) == 0" : nil
    case .count, .length: arguments.isEmpty ? "length(\(receiver))" : nil
    }
  }
}
