import KuraDiagnostics

/// Reads values and conditions of SQL, of Swift and Objective-C, and of Kura from tokens.
///
/// One parser reads all of them, because their conditions differ in words and signs and hardly in
/// shape. A `Dialect` decides where two languages read the same sign differently.
final class ForeignParser {
  let bytes: [UInt8]
  let dialect: Dialect
  let tokens: [ForeignToken]
  var position = 0
  /// The language of the first construct that belongs to one language only.
  private(set) var language: ForeignLanguage?
  /// The places that Kura writes otherwise.
  private(set) var marks: [SourceSpan] = []
  private var depth = 0
  /// The number of parts that may still be read, including those that lead nowhere.
  private var steps: Int
  /// The number of `%@` so far whose values follow the condition.
  var placeholders = 0
  /// Those values.
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

  /// Extends an expression for as long as something follows that belongs to it.
  func chain(_ first: Tree, _ next: (Tree) throws -> Tree?) throws -> Tree {
    var (found, length) = (first, 0)
    while let more = try next(found) {
      (found, length) = (more, length + 1)
      if length > Self.longestChain { throw unreadable }
    }
    return found
  }

  /// Counts a step. A text that needs too many of them is unreadable.
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

  /// Notes a construct that belongs to another language; nil: to several of them.
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

  /// The end of the token before.
  var lastEnd: Int { position > 0 ? tokens[position - 1].span.end : token.span.start }

  @discardableResult
  func take() -> ForeignToken {
    defer { if position < tokens.count - 1 { position += 1 } }
    return token
  }

  /// Takes a sign if it comes next.
  func take(_ sign: String) -> Bool {
    guard token.is(sign) else { return false }
    take()
    return true
  }

  /// Takes words if they come next.
  func takeWords(_ words: String...) -> Bool {
    for (distance, word) in words.enumerated() where !peek(distance).isWord(word) { return false }
    for _ in words { take() }
    return true
  }

  /// Takes all that comes next of some words, which may be none.
  @discardableResult
  func takeAll(of words: Set<String>) -> Set<String> {
    var taken: Set<String> = []
    while token.isWord(among: words) { taken.insert(take().text.lowercased()) }
    return taken
  }

  func expect(_ sign: String) throws { guard take(sign) else { throw unreadable } }

  func expectWord(_ word: String) throws { guard takeWords(word) else { throw unreadable } }

  var unreadable: ForeignProblem { token.span.unreadable }

  /// The problem that Kura does not have the construct at the next token.
  func refusal(_ construct: String, _ instead: String? = nil) -> ForeignProblem {
    token.span.missing(construct, instead)
  }

  func span(from start: Int) -> SourceSpan { SourceSpan(start, max(start, lastEnd)) }

  func source(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  /// Whether a name is part of an expression, according to its text, or the owner of a key in it.
  func mentions(_ name: String, _ tree: Tree, asOwner: Bool = false) -> Bool {
    let tokens = ForeignLexer.tokens(of: bytes, tree.span, dialect)
    guard asOwner else { return tokens.contains { $0.text == name } }
    return zip(tokens, tokens.dropFirst()).contains { $0.isWord(name) && $1.is(".") }
  }

  /// A name, in quotation marks or without.
  func takeName() throws -> String {
    switch token.kind {
    case .word, .quotedName: return take().text
    case .string where token.isDoubleQuoted || dialect == .sql: return take().text
    default: throw unreadable
    }
  }

  /// The name of a table or key, without what is before it.
  func lastName() throws -> String {
    var name = try takeName()
    while take(".") { name = try takeName() }
    return name
  }

  /// Passes the bracket that comes next, and the one that closes it.
  func skipBrackets() {
    var open = 0
    repeat {
      let next = take()
      if next.is("(") || next.is("[") || next.is("{") { open += 1 }
      if next.is(")") || next.is("]") || next.is("}") { open -= 1 }
    } while open > 0 && !isAtEnd
  }

  /// Reads values between commas.
  func list<Read>(_ read: () throws -> Read) throws -> [Read] {
    var all = [try read()]
    while take(",") { all.append(try read()) }
    return all
  }

  /// Reads values between commas up to a bracket, which may follow at once.
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
