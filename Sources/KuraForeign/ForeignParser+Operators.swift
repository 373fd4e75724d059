import KuraDiagnostics

/// How tightly an operator binds, in other languages and in Kura; a later one binds tighter.
enum Precedence: Int, Comparable {
  case conditional, or, and, not, comparison, coalescing, range, join, sum, product, power, unary

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  var tighter: Self { Self(rawValue: rawValue + 1) ?? .unary }
}

/// An operator between two values.
private struct ForeignOperator {
  /// Its name in the tree.
  let name: String
  var precedence = Precedence.comparison
  /// The language that alone writes it so; nil: Kura writes it so, too.
  var language: ForeignLanguage?

  init(_ name: String, _ precedence: Precedence = .comparison, _ language: ForeignLanguage? = nil) {
    self.name = name
    self.precedence = precedence
    self.language = language
  }

  static let all: [String: ForeignOperator] = [
    "||": .init("OR", .or), "&&": .init("AND", .and), "=": .init("=="), "==": .init("=="),
    "===": .init("==", .comparison, .javaScript), "!=": .init("!="), "<>": .init("!="),
    "!==": .init("!=", .comparison, .javaScript), "<": .init("<"), "<=": .init("<="),
    "=<": .init("<="), ">": .init(">"), ">=": .init(">="),
    "=~": .init("SEARCH", .comparison, .ruby), "~": .init("SEARCH"), "~*": .init("SEARCH[c]"),
    "!~": .init("NOT SEARCH"), "!~*": .init("NOT SEARCH[c]"),
    "??": .init("??", .coalescing, .swift),
    "..<": .init("..<", .range), "...": .init("...", .range), "+": .init("+", .sum),
    "-": .init("-", .sum), "*": .init("*", .product), "/": .init("/", .product),
    "%": .init("%", .product, .sql), "**": .init("**", .power), "and": .init("AND", .and),
    "or": .init("OR", .or), "mod": .init("%", .product),
  ]

  /// Comparisons in words, which programs do not have.
  static let comparisons: [String: ForeignOperator] = [
    "is": .init("IS"), "isnull": .init("IS"), "notnull": .init("IS NOT"),
    "between": .init("BETWEEN"), "in": .init("IN"), "like": .init("LIKE"),
    "ilike": .init("LIKE[c]", .comparison, .sql), "glob": .init("GLOB", .comparison, .sql),
    "rlike": .init("SEARCH", .comparison, .sql), "regexp": .init("SEARCH", .comparison, .sql),
    "matches": .init("MATCHES"), "contains": .init("CONTAINS"),
    "beginswith": .init("BEGINSWITH"), "endswith": .init("ENDSWITH"),
  ]
}

// Operators between values
extension ForeignParser {
  /// A value or a condition.
  func expression() throws -> Tree { try expression(.conditional) }

  func expression(_ minimum: Precedence) throws -> Tree {
    try deeper { try chain(try operand()) { left in try continued(left, minimum) } }
  }

  /// The expression that the next operator makes of its left side; nil if none binds so tightly.
  private func continued(_ left: Tree, _ minimum: Precedence) throws -> Tree? {
    if minimum == .conditional, token.is("?"), dialect != .sql { return try conditional(left) }
    let place = token.span
    let isNegated = dialect != .code && token.isWord("not")
    let joins = token.is("||") && joinsTexts(left, minimum)
    guard
      let found = joins ? ForeignOperator("||", .join) : operation(at: isNegated ? 1 : 0),
      found.precedence >= minimum,
      !isNegated || found.precedence == .comparison && peek().kind == .word
    else { return nil }
    if isNegated { mark(.sql, at: take().span) }
    let sign = take()
    if dialect == .kura, found.precedence == .comparison, case .infix("||", _, _) = left.kind {
      mark(.sql, at: left.span)
    }
    if let language = found.language, dialect == .kura || sign.kind == .word {
      mark(language, at: sign.span)
    }
    var name = found.name
    let right: Tree
    switch sign.kind == .word ? name : "" {
    case "IS" where sign.isWord("isnull"), "IS NOT":
      right = Tree(.null, place)
    case "IS":
      var isTurned = takeWords("not")
      if takeWords("distinct", "from") { isTurned.toggle() }
      if isTurned { name = "IS NOT" }
      mark(token.isWord("none") ? .python : .sql, at: place)
      right = try expression(.coalescing)
    case "IN": right = try members()
    case "BETWEEN": right = try bounds()
    case "AND", "OR", "%", "":
      right = try expression(found.precedence == .power ? .power : found.precedence.tighter)
    default:
      name += try takeOptions()
      right = try pattern(name)
    }
    let isNot = name.hasPrefix("NOT ")
    let operation = left.infix(isNot ? String(name.dropFirst(4)) : name, right)
    return isNot || isNegated ? Tree(.prefix("NOT", operation), operation.span) : operation
  }

  /// Whether `||` joins texts, as in SQL, also in a statement of Kura: next to a text that is not
  /// the right side of a comparison.
  private func joinsTexts(_ left: Tree, _ minimum: Precedence) -> Bool {
    guard dialect == .kura else { return dialect == .sql }
    if case .infix("||", _, _) = left.kind { return true }
    if left.literalText != nil { return minimum < .coalescing }
    if case .infix = left.kind { return false }
    return minimum < .coalescing && peek().kind == .string
  }

  private func operation(at distance: Int) -> ForeignOperator? {
    let token = peek(distance)
    guard token.kind == .word else {
      return token.kind == .sign ? ForeignOperator.all[token.text] : nil
    }
    let word = token.text.lowercased()
    if let found = ForeignOperator.all[word] { return found }
    guard dialect != .code, let found = ForeignOperator.comparisons[word] else { return nil }
    // A name that is called, or a key, is not an operator.
    let next = peek(distance + 1)
    let isName = next.is("==") || next.is("(") && word != "in" && word != "is"
    return isName && word != "between" ? nil : found
  }

  /// `a ? b : c`
  private func conditional(_ left: Tree) throws -> Tree {
    let place = take().span
    let value = try expression()
    try expect(":")
    let other = try expression()
    mark(.swift, at: place)
    return Tree(.choice([(left, value)], other), left.span.joined(other.span))
  }

  /// The operand of `LIKE`, `CONTAINS`; an escaped wildcard becomes a private character.
  private func pattern(_ name: String) throws -> Tree {
    let right = try expression(.coalescing)
    guard name.hasPrefix("LIKE") else { return right }
    if dialect == .kura, right.literalText?.contains("%") == true { mark(.sql, at: right.span) }
    guard takeWords("escape") else { return right }
    let character = try expression(.unary).literalText
    guard let text = right.literalText, let escape = character?.first, character?.count == 1
    else { throw unreadable }
    let literals: [Character: String] = ["%": Self.percent, "_": Self.underscore]
    var (result, isEscaped) = ("", false)
    for next in text {
      if isEscaped || next != escape {
        result += isEscaped ? literals[next] ?? String(next) : String(next)
      }
      isEscaped = !isEscaped && next == escape
    }
    return Tree(.string(result, mayBeName: false), right.span)
  }

  /// Private characters for `%` and `_` that are not wildcards.
  static let percent = "\u{E025}"
  static let underscore = "\u{E05F}"

  /// `[cd]` after an operator.
  private func takeOptions() throws -> String {
    guard token.is("["), token.isAdjacent, peek(2).is("]"), dialect != .sql else { return "" }
    take()
    let letters = take().text
    try expect("]")
    return "[\(letters)]"
  }

  /// `1 AND 9`, `{1, 9}`
  private func bounds() throws -> Tree {
    let first = try expression(.coalescing)
    guard takeWords("and") else { return first }
    let last = try expression(.coalescing)
    let span = first.span.joined(last.span)
    mark(.sql, at: span)
    return Tree(.list([first, last]), span)
  }

  /// `(1, 2)`, `(SELECT …)`, `{1, 2}`, `tags`
  private func members() throws -> Tree {
    guard token.is("("), !startsSelect(peek()), !peek().isWord("fetch") else {
      return try expression(.coalescing)
    }
    let start = take().span.start
    mark(.sql, at: SourceSpan(start, start + 1))
    return Tree(.list(try list(upTo: ")") { try expression() }), span(from: start))
  }

  func startsSelect(_ token: ForeignToken) -> Bool { token.isWord("select") && dialect != .code }
}
