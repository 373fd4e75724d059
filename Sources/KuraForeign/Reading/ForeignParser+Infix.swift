import KuraDiagnostics

/// How tightly an operator binds; a later one binds tighter.
enum ForeignPrecedence: Int, Comparable {
  case pipe, conditional, or, and, not, comparison, coalescing, range, bits, join, sum, product,
    power, unary

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  var tighter: Self { Self(rawValue: rawValue + 1) ?? .unary }
}

extension ForeignParser {
  /// A value or a condition.
  func expression() throws(ForeignProblem) -> ForeignExpression { try expression(.conditional) }

  func expression(_ minimum: ForeignPrecedence) throws(ForeignProblem) -> ForeignExpression {
    try deeper { () throws(ForeignProblem) in
      try chain(try operand(minimum)) { left throws(ForeignProblem) in
        try continued(left, minimum)
      }
    }
  }

  /// What the operator that comes next makes of the left side; nil: none binds so tightly.
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
    if let swift = Self.swiftSigns[source(place)], dialect == .kura { mark(swift, at: place) }
    if precedence == .comparison, let chain = chained(left, sign, right, span) { return chain }
    guard sign.hasPrefix("NOT ") else { return ForeignExpression(.infix(sign, left, right), span) }
    let positive = ForeignExpression(.infix(String(sign.dropFirst(4)), left, right), span)
    return ForeignExpression(.prefix("NOT", positive), span)
  }

  private static let swiftSigns: [String: ForeignLanguage] = [
    "===": .javaScript, "!==": .javaScript, "??": .swift, "%": .sql, "=~": .javaScript,
  ]

  /// `1900 < year < 1950`, as Python has it.
  private func chained(
    _ left: ForeignExpression, _ sign: String, _ right: ForeignExpression, _ span: SourceSpan
  ) -> ForeignExpression? {
    guard case .infix(let before, _, let middle) = left.kind, Self.orders.contains(before),
      Self.orders.contains(sign), source(left.span).first != "("
    else { return nil }
    let second = ForeignExpression(.infix(sign, middle, right), middle.span.joined(right.span))
    return ForeignExpression(.infix("AND", left, second), span)
  }

  private static let orders: Set = ["<", "<=", ">", ">="]

  private var infixSign: (String, ForeignPrecedence)? {
    guard token.kind == .sign else { return infixWord }
    if token.is("||"), dialect == .sql { return ("||", .join) }
    if dialect == .code, token.is("&") || token.is("|") {
      return (token.is("&") ? "AND" : "OR", .bits)
    }
    return Self.signs[token.text].flatMap { sign, precedence in
      precedence == .pipe && dialect != .jq ? nil : (sign, precedence)
    }
  }

  private static let signs: [String: (String, ForeignPrecedence)] = [
    "|": ("|", .pipe), "||": ("OR", .or), "&&": ("AND", .and), "=": ("==", .comparison),
    "==": ("==", .comparison), "===": ("==", .comparison), "!=": ("!=", .comparison),
    "!==": ("!=", .comparison), "<>": ("!=", .comparison), "<": ("<", .comparison),
    "<=": ("<=", .comparison), ">": (">", .comparison), ">=": (">=", .comparison),
    "=<": ("<=", .comparison), "=~": ("SEARCH", .comparison), "~": ("SEARCH", .comparison),
    "~*": ("SEARCH[c]", .comparison), "!~": ("NOT SEARCH", .comparison),
    "!~*": ("NOT SEARCH[c]", .comparison), "??": ("??", .coalescing), "//": ("??", .coalescing),
    "..<": ("..<", .range), "...": ("...", .range), "+": ("+", .sum), "-": ("-", .sum),
    "*": ("*", .product), "/": ("/", .product), "%": ("%", .product), "**": ("**", .power),
  ]

  private var infixWord: (String, ForeignPrecedence)? {
    guard token.kind == .word else { return nil }
    switch token.text.lowercased() {
    case "and": return ("AND", .and)
    case "or": return ("OR", .or)
    case "mod": return ("%", .product)
    case "div": return ("/", .product)
    default: return nil
    }
  }

  /// `a ? b : c`, `a if c else b`
  private func conditional(
    _ left: ForeignExpression
  ) throws(ForeignProblem) -> ForeignExpression? {
    if token.is("?"), dialect != .sql {
      let place = take().span
      let value = try expression()
      try expect(":")
      let other = try expression()
      mark(.swift, at: place)
      return ForeignExpression(.choice([(left, value)], other), left.span.joined(other.span))
    }
    guard token.isWord("if"), dialect != .jq, !token.startsLine else { return nil }
    return attempt { () throws(ForeignProblem) in
      take()
      let condition = try expression(.or)
      try expectWord("else")
      let other = try expression()
      mark(.python, at: condition.span)
      return ForeignExpression(
        .choice([(condition, left)], other), left.span.joined(other.span))
    }
  }
}
