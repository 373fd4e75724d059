import KuraDiagnostics

/// Reads values and conditions of SQL, of Swift and Objective-C, and of Kura from tokens.
///
/// One parser reads all of them, because their conditions have different words and signs but nearly
/// the same structure. A `Dialect` decides the meaning of a sign that differs between two
/// languages.
final class ForeignParser {
  let bytes: [UInt8]
  let dialect: Dialect
  let tokens: [ForeignToken]
  var position = 0
  /// The language of the first construct that belongs to only one language.
  private(set) var language: ForeignLanguage?
  /// The spans that Kura writes differently.
  private(set) var marks: [SourceSpan] = []
  private var depth = 0
  /// The number of parts that may still be read, including failed attempts.
  private var steps: Int
  /// The number of `%@` so far whose values follow the condition.
  var placeholders = 0
  /// The values of these placeholders.
  var placeholderValues: [Tree] = []
  /// Whether `{` after a call opens a closure: not in `for x in y.z() {`.
  var allowsTrailingClosure = true

  init(_ bytes: [UInt8], _ span: SourceSpan, _ dialect: Dialect) {
    self.bytes = bytes
    self.dialect = dialect
    tokens = ForeignLexer.tokens(of: bytes, span, dialect)
    steps = min(40_000, 2_000 + 30 * tokens.count)
  }

  private static let maximumDepth = 120
  private static let longestChain = 300

  func deeper<Read>(_ read: () throws -> Read) throws -> Read {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw unreadable }
    try step()
    return try read()
  }

  /// Extends an expression while a continuation follows.
  func chain(_ first: Tree, _ next: (Tree) throws -> Tree?) throws -> Tree {
    var (found, length) = (first, 0)
    while let more = try next(found) {
      (found, length) = (more, length + 1)
      if length > Self.longestChain { throw unreadable }
    }
    return found
  }

  /// Counts a step. A text that needs too many steps is unreadable.
  func step() throws {
    steps -= 1
    if steps < 0 { throw unreadable }
  }

  /// Tries to read something, and returns to the start if that fails.
  func attempt<Read>(_ read: () throws -> Read?) -> Read? {
    let start = (position, marks.count, language)
    if let found = try? read() { return found }
    (position, language) = (start.0, start.2)
    marks.removeLast(marks.count - start.1)
    return nil
  }

  /// Records a construct that belongs to another language; nil for several languages.
  func mark(_ language: ForeignLanguage?, at span: SourceSpan) {
    self.language = self.language ?? language
    marks.append(span)
  }
}

// Tokens
extension ForeignParser {
  var token: ForeignToken { peek(0) }

  func peek(_ distance: Int = 1) -> ForeignToken {
    tokens[min(position + distance, tokens.count - 1)]
  }

  var isAtEnd: Bool { token.kind == .end }

  /// The end of the previous token.
  var lastEnd: Int { position > 0 ? tokens[position - 1].span.end : token.span.start }

  @discardableResult
  func take() -> ForeignToken {
    defer { if position < tokens.count - 1 { position += 1 } }
    return token
  }

  /// Takes a sign if it comes next; returns whether it did.
  func take(_ sign: String) -> Bool {
    guard token.is(sign) else { return false }
    take()
    return true
  }

  /// Takes words if they come next; returns whether they did.
  func takeWords(_ words: String...) -> Bool {
    for (distance, word) in words.enumerated() where !peek(distance).isWord(word) { return false }
    for _ in words { take() }
    return true
  }

  /// Takes all of these words that come next, if any.
  @discardableResult
  func takeAll(of words: Set<String>) -> Set<String> {
    var taken: Set<String> = []
    while token.isWord(among: words) { taken.insert(take().text.lowercased()) }
    return taken
  }

  func expect(_ sign: String) throws { guard take(sign) else { throw unreadable } }

  func expectWord(_ word: String) throws { guard takeWords(word) else { throw unreadable } }

  var unreadable: ForeignProblem { token.span.unreadable }

  /// Returns the problem that Kura does not have the construct at the next token.
  func refusal(_ construct: String, _ instead: String? = nil) -> ForeignProblem {
    token.span.missing(construct, instead)
  }

  func span(from start: Int) -> SourceSpan { SourceSpan(start, max(start, lastEnd)) }

  func source(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  /// Returns whether a name is part of an expression, according to its text, or the owner of a key
  /// in it.
  func mentions(_ name: String, _ tree: Tree, asOwner: Bool = false) -> Bool {
    let tokens = ForeignLexer.tokens(of: bytes, tree.span, dialect)
    guard asOwner else { return tokens.contains { $0.text == name } }
    return zip(tokens, tokens.dropFirst()).contains { $0.isWord(name) && $1.is(".") }
  }

  /// Takes a name, in quotation marks or without.
  func takeName() throws -> String {
    switch token.kind {
    case .word, .quotedName: return take().text
    case .string where token.isDoubleQuoted || dialect == .sql: return take().text
    default: throw unreadable
    }
  }

  /// Takes the name of a table or key, skipping what precedes it.
  func lastName() throws -> String {
    var name = try takeName()
    while take(".") { name = try takeName() }
    return name
  }

  /// Skips the bracket that comes next, up to the one that closes it.
  func skipBrackets() {
    var open = 0
    repeat {
      let next = take()
      if next.is("(") || next.is("[") || next.is("{") { open += 1 }
      if next.is(")") || next.is("]") || next.is("}") { open -= 1 }
    } while open > 0 && !isAtEnd
  }

  /// Reads values separated by commas.
  func list<Read>(_ read: () throws -> Read) throws -> [Read] {
    var all = [try read()]
    while take(",") { all.append(try read()) }
    return all
  }

  /// Reads values separated by commas up to a bracket; the list may be empty.
  func list<Read>(upTo close: String, _ read: () throws -> Read) throws -> [Read] {
    var all: [Read] = []
    while !token.is(close) {
      all.append(try read())
      if !take(",") { break }
    }
    try expect(close)
    return all
  }
}

/// The precedence of operators in Kura and other languages; a later one binds tighter.
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
  /// The only language with this form; nil if Kura also has it.
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
    "=~": .init("SEARCH", .comparison, .ruby), "~": .init("SEARCH"),
    "~=": .init("~=", .comparison, .swift), "~*": .init("SEARCH[c]"),
    "!~": .init("NOT SEARCH"), "!~*": .init("NOT SEARCH[c]"),
    "??": .init("??", .coalescing, .swift),
    "..<": .init("..<", .range), "...": .init("...", .range), "+": .init("+", .sum),
    "-": .init("-", .sum), "*": .init("*", .product), "/": .init("/", .product),
    "%": .init("%", .product), "**": .init("**", .power), "and": .init("AND", .and),
    "or": .init("OR", .or), "mod": .init("%", .product),
  ]

  /// Comparisons in words, which programs do not have.
  static let comparisons: [String: ForeignOperator] = [
    "is": .init("IS"), "isnull": .init("IS"), "notnull": .init("IS NOT"),
    "between": .init("BETWEEN"), "in": .init("IN"), "like": .init("LIKE"),
    "ilike": .init("LIKE[c]", .comparison, .sql), "glob": .init("GLOB", .comparison, .sql),
    "rlike": .init("SEARCH", .comparison, .sql), "regexp": .init("SEARCH", .comparison, .sql),
    "regex": .init("SEARCH", .comparison, .sql),
    "matches": .init("MATCHES"), "contains": .init("CONTAINS"),
    "beginswith": .init("BEGINSWITH"), "endswith": .init("ENDSWITH"),
  ]
}

// Operators between values
extension ForeignParser {
  /// Reads a value or a condition.
  func expression() throws -> Tree { try expression(.conditional) }

  func expression(_ minimum: Precedence) throws -> Tree {
    try deeper { try chain(try operand()) { left in try continued(left, minimum) } }
  }

  /// Reads the next operator and its right side; nil if none binds tightly enough.
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
    if name == "~=" {
      let isPlain = right.literalText?.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }
      name = isPlain.map { $0 ? "CONTAINS" : "SEARCH" } ?? "=="
    }
    let isNot = name.hasPrefix("NOT ")
    let operation = left.infix(isNot ? String(name.dropFirst(4)) : name, right)
    return isNot || isNegated ? Tree(.prefix("NOT", operation), operation.span) : operation
  }

  /// Returns whether `||` joins texts, as in SQL, also in a statement of Kura: next to a text that
  /// is not the right side of a comparison.
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

  /// Reads `a ? b : c`.
  private func conditional(_ left: Tree) throws -> Tree {
    let place = take().span
    let value = try expression()
    try expect(":")
    let other = try expression()
    mark(.swift, at: place)
    return Tree(.choice([(left, value)], other), left.span.joined(other.span))
  }

  /// Reads the operand of `LIKE`, `CONTAINS`; an escaped wildcard becomes a private character.
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

  /// Reads `[cd]` after an operator.
  private func takeOptions() throws -> String {
    guard token.is("["), token.isAdjacent, peek(2).is("]"), dialect != .sql else { return "" }
    take()
    let letters = take().text
    try expect("]")
    return "[\(letters)]"
  }

  /// Reads `1 AND 9`, `{1, 9}`.
  private func bounds() throws -> Tree {
    let first = try expression(.coalescing)
    guard takeWords("and") else { return first }
    let last = try expression(.coalescing)
    let span = first.span.joined(last.span)
    mark(.sql, at: span)
    return Tree(.list([first, last]), span)
  }

  /// Reads `(1, 2)`, `(SELECT …)`, `{1, 2}`, `tags`.
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
