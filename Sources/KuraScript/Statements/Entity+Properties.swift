import KuraDiagnostics
import KuraPredicates

/// A part of a property that begins with its own word, or with `=`.
enum PropertyClause: String, CaseIterable {
  case defaultValue = "="
  case min, max, matches, unique, check, transient, derived
  case ordered, inverse, delete
}

extension StatementParser {
  /// `title: string min 1`, `items: [Item] ordered inverse parent delete cascade`
  func readProperty() throws(SyntaxError) -> PropertyDeclaration {
    try refuseVar()
    let name = try takeName(.key)
    try take(.colon)
    let isToMany = required.is(.leftBracket)
    if isToMany { take() }
    var property = PropertyDeclaration(name: name, type: try takeName(.type))
    property.isToMany = isToMany
    if isToMany { try take(.rightBracket) }
    if optional.is(.question) {
      take()
      property.isOptional = true
    }
    try readClauses(of: &property)
    return property
  }

  /// `var title: string`, as in Swift
  private func refuseVar() throws(SyntaxError) {
    let word = required
    guard ["var", "let", "const"].contains(text(word)), cursor.peek().kind == .word else { return }
    let span = SourceSpan(word.span.start, cursor.peek().span.start)
    throw error(.idleWord(text(word), after: "{"), at: word.span, fixIt: FixIt(span, ""))
  }

  private func readClauses(of property: inout PropertyDeclaration) throws(SyntaxError) {
    var seen: [PropertyClause] = []
    while let token = nextClause {
      let clause = try propertyClause(token)
      if seen.contains(clause) { throw error(.repeatedClause(text(token)), at: token.span) }
      seen.append(clause)
      take()
      property.clauses.append(try read(clause, token))
    }
  }

  /// The token that begins another clause; nil at the property's end.
  private var nextClause: Token? {
    let token = optional
    if token.end == .text { predicates.noteEnd(.words(PropertyClause.allCases.map(\.rawValue))) }
    let isAtEnd = token.end != nil || token.is(.semicolon) || token.is(.rightBrace)
    return isAtEnd || startsProperty ? nil : token
  }

  private func propertyClause(_ token: Token) throws(SyntaxError) -> PropertyClause {
    if case .invalid(let problem) = token.kind { throw predicates.lexical(problem, token) }
    if let clause = PropertyClause(rawValue: text(token).lowercased()) { return clause }
    if token.is(.leftParenthesis) { throw withoutLength(expected(.separator)) }
    guard token.kind == .word, !cursor.peek().is(.colon) else { throw expected(.separator) }
    if let error = foreignClause(token) { throw error }
    throw unknownWord(token, among: PropertyClause.allCases.map(\.rawValue)) {
      .unknownClause($0, near: $1, known: $2)
    }
  }

  /// The error of `varchar(20)`, without the brackets.
  private func withoutLength(_ error: SyntaxError) -> SyntaxError {
    var ahead = cursor
    ahead.take()
    while ahead.token.end == nil, ahead.depth > cursor.depth { ahead.take() }
    var diagnostic = error.diagnostic
    diagnostic.fixIts = [FixIt(SourceSpan(lastSpan.end, ahead.lastSpan.end), "")]
    return SyntaxError(diagnostic)
  }

  /// `optional`, `not null`, `default 0`: what other languages say of a property.
  private func foreignClause(_ token: Token) -> SyntaxError? {
    let words = token.span.joined(cursor.peek().span)
    let blank = SourceSpan(lastSpan.end, token.span.end)
    let known = PropertyClause.allCases.map(\.rawValue)
    let facts = StatementFacts.unknownClause(text(token), near: [], known: known)
    switch (text(token).lowercased(), cursor.text(words).lowercased()) {
    case ("optional", _), ("nullable", _), ("null", _), ("省略可", _), ("任意", _):
      return error(facts, at: token.span, fixIt: FixIt(blank, "?"))
    case (_, "not null"):
      return error(facts, at: words, fixIt: FixIt(SourceSpan(lastSpan.end, words.end), ""))
    case ("required", _), ("mandatory", _), ("必須", _):
      return error(facts, at: token.span, fixIt: FixIt(blank, ""))
    case ("default", _), ("既定", _): return error(facts, at: token.span, fix: "=")
    default: return nil
    }
  }

  private func read(
    _ clause: PropertyClause, _ token: Token
  ) throws(SyntaxError) -> PropertyDeclaration.Clause {
    switch clause {
    case .defaultValue: return .defaultValue(try predicates.parseExpression())
    case .min: return .minimum(try predicates.parseExpression())
    case .max: return .maximum(try predicates.parseExpression())
    case .matches: return .matches(try takeString())
    case .unique: return .unique(token.span)
    case .check:
      let bracket = try takeParenthesis()
      let predicate = try predicates.parsePredicate()
      try close(bracket)
      return .check(predicate)
    case .transient: return .transient(token.span)
    case .derived:
      let bracket = try takeParenthesis()
      let expression = try predicates.parseExpressionOrPredicate()
      try close(bracket)
      return .derived(expression)
    case .ordered: return .ordered(token.span)
    case .inverse: return .inverse(try takeName(.key))
    case .delete: return .delete(try takeDeleteRule())
    }
  }

  private func takeParenthesis() throws(SyntaxError) -> Token {
    guard required.is(.leftParenthesis) else { throw expected(.symbol(.leftParenthesis)) }
    return take()
  }

  private func close(_ bracket: Token) throws(SyntaxError) {
    guard required.is(.rightParenthesis) else {
      throw required.end == nil
        ? predicates.unexpectedTail(.symbol(.rightParenthesis)) : predicates.unclosed(bracket)
    }
    take()
  }

  private func takeDeleteRule() throws(SyntaxError) -> Name {
    predicates.noteEnd(.words(Self.deleteRules))
    let token = required
    guard token.kind == .word else { throw expected(.word(Self.deleteRules[0])) }
    let word = text(token).lowercased()
    guard Self.deleteRules.contains(word) else {
      throw unknownWord(token, among: Self.deleteRules) {
        .unknownChoice($0, near: $1, known: $2)
      }
    }
    take()
    return Name(word, span: token.span)
  }

  private static let deleteRules = ["nullify", "cascade", "deny", "none"]
}
