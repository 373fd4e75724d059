import KuraDiagnostics

extension ForeignParser {
  /// Whose words `is not` and `in (…)` are.
  var wordLanguage: ForeignLanguage { dialect == .code ? .python : .sql }
}

// Comparisons that are words: `IS NOT NULL`, `NOT IN (…)`, `LIKE`, `BETWEEN`.
extension ForeignParser {
  /// What stands behind a value as a comparison in words; nil: none does.
  func wordComparison(_ left: ForeignExpression) throws(ForeignProblem) -> ForeignExpression? {
    guard token.kind == .word else { return nil }
    let start = position
    let place = token.span
    if takeWords("is") { return try isComparison(left, place) }
    if takeWords("isnull") { return comparison("==", left, ForeignExpression(.null, place)) }
    if takeWords("notnull") { return comparison("!=", left, ForeignExpression(.null, place)) }
    let isNegated = takeWords("not")
    guard let found = try positiveComparison(left) else {
      position = start
      return nil
    }
    if isNegated { mark(wordLanguage, at: place) }
    return isNegated ? ForeignExpression(.prefix("NOT", found), found.span) : found
  }

  private func comparison(
    _ sign: String, _ left: ForeignExpression, _ right: ForeignExpression
  ) -> ForeignExpression {
    ForeignExpression(.infix(sign, left, right), left.span.joined(right.span))
  }

  /// `IS NULL`, `is not None`, `IS TRUE`
  private func isComparison(
    _ left: ForeignExpression, _ place: SourceSpan
  ) throws(ForeignProblem) -> ForeignExpression {
    let isNegated = takeWords("not")
    if takeWords("distinct", "from") {
      mark(wordLanguage, at: place)
      return comparison(isNegated ? "==" : "!=", left, try expression(.coalescing))
    }
    if dialect == .kura, token.isWord("none") { mark(.python, at: place) }
    mark(wordLanguage, at: place)
    return comparison(isNegated ? "!=" : "==", left, try expression(.coalescing))
  }

  private func positiveComparison(
    _ left: ForeignExpression
  ) throws(ForeignProblem) -> ForeignExpression? {
    if takeWords("between") { return try between(left) }
    if takeWords("in") { return comparison("IN", left, try members()) }
    guard let (sign, mustMark) = Self.operators[token.text.lowercased()] else { return nil }
    // A name that is called, or a key: no operator.
    guard !peek().is("("), !peek().is("==") else { return nil }
    let place = take().span
    if sign == "SEARCH" { _ = takeWords("to") }
    if mustMark { mark(wordLanguage, at: place) }
    let options = try takeOptions()
    var right = try expression(.coalescing)
    if takeWords("escape") { right = try unescaped(right) }
    if takeWords("collate") { take() }
    let isLike = sign.hasPrefix("LIKE") || sign.hasPrefix("ILIKE")
    if isLike, dialect == .kura, right.literalText?.contains("%") == true {
      mark(wordLanguage, at: right.span)
    }
    return comparison(sign + options, left, right)
  }

  /// `LIKE '5!%' ESCAPE '!'`: the wildcards that stand for themselves as other characters.
  private func unescaped(_ pattern: ForeignExpression) throws(ForeignProblem) -> ForeignExpression {
    let character = try expression(.unary).literalText
    guard let text = pattern.literalText, let escape = character?.first, character?.count == 1
    else {
      throw unreadable
    }
    var (result, isEscaped) = ("", false)
    for next in text {
      if isEscaped {
        result += next == "%" ? Self.percent : next == "_" ? Self.underscore : String(next)
      } else if next != escape {
        result.append(next)
      }
      isEscaped = !isEscaped && next == escape
    }
    return ForeignExpression(.string(result, mayBeName: false), pattern.span)
  }

  /// Characters of nobody's, for `%` and `_` that are no wildcards.
  static let percent = "\u{E025}"
  static let underscore = "\u{E05F}"

  /// Each operator in its form here, and whether it is another language's in any case.
  private static let operators: [String: (String, Bool)] = [
    "like": ("LIKE", false), "ilike": ("LIKE[c]", true), "glob": ("GLOB", true),
    "rlike": ("SEARCH", true), "regexp": ("SEARCH", true), "similar": ("SIMILAR", true),
    "matches": ("MATCHES", false), "contains": ("CONTAINS", false),
    "beginswith": ("BEGINSWITH", false), "endswith": ("ENDSWITH", false),
  ]

  /// `[cd]` behind an operator.
  private func takeOptions() throws(ForeignProblem) -> String {
    guard token.is("["), token.isAdjacent, peek(2).is("]"), dialect != .sql else { return "" }
    take()
    let letters = take().text
    try expect("]")
    return "[\(letters)]"
  }

  /// `BETWEEN 1 AND 9`, `BETWEEN {1, 9}`
  private func between(_ left: ForeignExpression) throws(ForeignProblem) -> ForeignExpression {
    let first = try expression(.coalescing)
    guard takeWords("and") else { return comparison("BETWEEN", left, first) }
    let last = try expression(.coalescing)
    let bounds = ForeignExpression(.list([first, last]), first.span.joined(last.span))
    mark(wordLanguage, at: bounds.span)
    return comparison("BETWEEN", left, bounds)
  }

  /// `(1, 2)`, `(SELECT …)`, `{1, 2}`, `tags`
  private func members() throws(ForeignProblem) -> ForeignExpression {
    guard token.is("("), !startsSelect(peek()), !peek().isWord("fetch") else {
      return try expression(.coalescing)
    }
    let start = take().span.start
    mark(wordLanguage, at: SourceSpan(start, start + 1))
    let values = token.is(")") ? [] : try list { () throws(ForeignProblem) in try expression() }
    try expect(")")
    return ForeignExpression(.list(values), span(from: start))
  }

  func startsSelect(_ token: ForeignToken) -> Bool {
    token.isWord("select") && dialect != .code && dialect != .jq
  }
}
