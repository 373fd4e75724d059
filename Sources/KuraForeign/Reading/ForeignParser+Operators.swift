import KuraDiagnostics

/// How tightly an operator binds; a later one binds tighter.
enum ForeignPrecedence: Int, Comparable {
  case conditional, or, and, not, comparison, coalescing, range, join, sum, product, power, unary

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  var tighter: Self { Self(rawValue: rawValue + 1) ?? .unary }
}

// Operators between values
extension ForeignParser {
  /// A value or a condition.
  func expression() throws(ForeignProblem) -> ForeignExpression { try expression(.conditional) }

  func expression(_ minimum: ForeignPrecedence) throws(ForeignProblem) -> ForeignExpression {
    try deeper { () throws(ForeignProblem) in
      try chain(try operand()) { left throws(ForeignProblem) in
        try continued(left, minimum)
      }
    }
  }

  /// The expression that the next operator makes of its left side; nil if none binds so tightly.
  private func continued(
    _ left: ForeignExpression, _ minimum: ForeignPrecedence
  ) throws(ForeignProblem) -> ForeignExpression? {
    if minimum <= .conditional, let choice = try conditional(left) { return choice }
    if minimum <= .comparison, let found = try wordComparison(left) { return found }
    guard let (sign, precedence) = infixSign, precedence >= minimum else { return nil }
    let place = token.span
    take()
    let right = try expression(precedence == .power ? .power : precedence.tighter)
    let span = left.span.joined(right.span)
    if let language = Self.foreignSigns[source(place)], dialect == .kura {
      mark(language, at: place)
    }
    if precedence == .comparison, let chain = chained(left, sign, right, span) { return chain }
    guard sign.hasPrefix("NOT ") else { return ForeignExpression(.infix(sign, left, right), span) }
    let positive = ForeignExpression(.infix(String(sign.dropFirst(4)), left, right), span)
    return ForeignExpression(.prefix("NOT", positive), span)
  }

  private static let foreignSigns: [String: ForeignLanguage] = [
    "===": .javaScript, "!==": .javaScript, "??": .swift, "%": .sql, "=~": .ruby,
  ]

  /// `1900 < year < 1950`
  private func chained(
    _ left: ForeignExpression, _ sign: String, _ right: ForeignExpression, _ span: SourceSpan
  ) -> ForeignExpression? {
    let orders: Set = ["<", "<=", ">", ">="]
    guard dialect == .kura, case .infix(let before, _, let middle) = left.kind,
      orders.contains(before), orders.contains(sign), source(left.span).first != "("
    else { return nil }
    let second = ForeignExpression(.infix(sign, middle, right), middle.span.joined(right.span))
    return ForeignExpression(.infix("AND", left, second), span)
  }

  private var infixSign: (String, ForeignPrecedence)? {
    if token.kind == .word { return Self.words[token.text.lowercased()] }
    guard token.kind == .sign else { return nil }
    if dialect == .sql, token.is("||") { return ("||", .join) }
    return Self.signs[token.text]
  }

  private static let words: [String: (String, ForeignPrecedence)] = [
    "and": ("AND", .and), "or": ("OR", .or), "mod": ("%", .product),
  ]

  private static let signs: [String: (String, ForeignPrecedence)] = [
    "||": ("OR", .or), "&&": ("AND", .and), "=": ("==", .comparison), "==": ("==", .comparison),
    "===": ("==", .comparison), "!=": ("!=", .comparison), "!==": ("!=", .comparison),
    "<>": ("!=", .comparison), "<": ("<", .comparison), "<=": ("<=", .comparison),
    ">": (">", .comparison), ">=": (">=", .comparison), "=<": ("<=", .comparison),
    "=~": ("SEARCH", .comparison), "~": ("SEARCH", .comparison), "~*": ("SEARCH[c]", .comparison),
    "!~": ("NOT SEARCH", .comparison), "!~*": ("NOT SEARCH[c]", .comparison),
    "??": ("??", .coalescing), "..<": ("..<", .range), "...": ("...", .range), "+": ("+", .sum),
    "-": ("-", .sum), "*": ("*", .product), "/": ("/", .product), "%": ("%", .product),
    "**": ("**", .power),
  ]

  /// `a ? b : c`
  private func conditional(
    _ left: ForeignExpression
  ) throws(ForeignProblem) -> ForeignExpression? {
    guard token.is("?"), dialect != .sql else { return nil }
    let place = take().span
    let value = try expression()
    try expect(":")
    let other = try expression()
    mark(.swift, at: place)
    return ForeignExpression(.choice([(left, value)], other), left.span.joined(other.span))
  }
}

// Comparisons in words: `IS NOT NULL`, `NOT IN (…)`, `LIKE`, `BETWEEN`
extension ForeignParser {
  private func comparison(
    _ sign: String, _ left: ForeignExpression, _ right: ForeignExpression
  ) -> ForeignExpression {
    ForeignExpression(.infix(sign, left, right), left.span.joined(right.span))
  }

  private func wordComparison(
    _ left: ForeignExpression
  ) throws(ForeignProblem) -> ForeignExpression? {
    guard token.kind == .word, dialect != .code else { return nil }
    let start = position
    let place = token.span
    if takeWords("is") { return try isComparison(left, place) }
    if takeWords("isnull") { return comparison("IS", left, ForeignExpression(.null, place)) }
    if takeWords("notnull") { return comparison("IS NOT", left, ForeignExpression(.null, place)) }
    let isNegated = takeWords("not")
    guard let found = try positiveComparison(left) else {
      position = start
      return nil
    }
    if isNegated { mark(.sql, at: place) }
    return isNegated ? ForeignExpression(.prefix("NOT", found), found.span) : found
  }

  /// `IS NULL`, `is not None`, `IS TRUE`, `IS DISTINCT FROM`
  private func isComparison(
    _ left: ForeignExpression, _ place: SourceSpan
  ) throws(ForeignProblem) -> ForeignExpression {
    var isNegated = takeWords("not")
    if takeWords("distinct", "from") { isNegated.toggle() }
    if token.isWord("none") { mark(.python, at: place) }
    mark(.sql, at: place)
    return comparison(isNegated ? "IS NOT" : "IS", left, try expression(.coalescing))
  }

  private func positiveComparison(
    _ left: ForeignExpression
  ) throws(ForeignProblem) -> ForeignExpression? {
    if takeWords("between") { return try between(left) }
    if takeWords("in") { return comparison("IN", left, try members()) }
    guard let (sign, isForeign) = Self.wordSigns[token.text.lowercased()] else { return nil }
    // A name that is called, or a key, is not an operator.
    guard !peek().is("("), !peek().is("==") else { return nil }
    let place = take().span
    if sign == "SIMILAR" { try expectWord("to") }
    if isForeign { mark(.sql, at: place) }
    let options = try takeOptions()
    var right = try expression(.coalescing)
    if takeWords("escape") { right = try unescaped(right) }
    if sign.hasPrefix("LIKE"), dialect == .kura, right.literalText?.contains("%") == true {
      mark(.sql, at: right.span)
    }
    return comparison(sign + options, left, right)
  }

  /// Each operator as Kura writes it, and whether Kura has no such word.
  private static let wordSigns: [String: (String, Bool)] = [
    "like": ("LIKE", false), "ilike": ("LIKE[c]", true), "glob": ("GLOB", true),
    "rlike": ("SEARCH", true), "regexp": ("SEARCH", true), "similar": ("SIMILAR", true),
    "matches": ("MATCHES", false), "contains": ("CONTAINS", false),
    "beginswith": ("BEGINSWITH", false), "endswith": ("ENDSWITH", false),
  ]

  /// `LIKE '5!%' ESCAPE '!'`: a wildcard that is escaped becomes a private character.
  private func unescaped(_ pattern: ForeignExpression) throws(ForeignProblem) -> ForeignExpression {
    let character = try expression(.unary).literalText
    guard let text = pattern.literalText, let escape = character?.first, character?.count == 1
    else { throw unreadable }
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

  /// Private characters for `%` and `_` that are not wildcards.
  static let percent = "\u{E025}"
  static let underscore = "\u{E05F}"

  /// `[cd]` after an operator.
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
    mark(.sql, at: bounds.span)
    return comparison("BETWEEN", left, bounds)
  }

  /// `(1, 2)`, `(SELECT …)`, `{1, 2}`, `tags`
  private func members() throws(ForeignProblem) -> ForeignExpression {
    guard token.is("("), !startsSelect(peek()), !peek().isWord("fetch") else {
      return try expression(.coalescing)
    }
    let start = take().span.start
    mark(.sql, at: SourceSpan(start, start + 1))
    let values = try list(upTo: ")") { () throws(ForeignProblem) in try expression() }
    return ForeignExpression(.list(values), span(from: start))
  }

  func startsSelect(_ token: ForeignToken) -> Bool { token.isWord("select") && dialect != .code }
}
