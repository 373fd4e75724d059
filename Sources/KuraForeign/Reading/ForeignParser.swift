import KuraDiagnostics

/// Reads values and conditions of any of the languages from tokens.
///
/// It is one reader for all, since their conditions differ in words and signs and hardly in shape;
/// what two languages read differently its dialect decides. It is tolerant, and what it makes of a
/// text is offered only if it holds here.
final class ForeignParser {
  let bytes: [UInt8]
  let dialect: Dialect
  let tokens: [ForeignToken]
  var position = 0
  /// The language that a construct has given away; the first counts.
  fileprivate(set) var language: ForeignLanguage?
  /// The places at which something stands that Kura writes otherwise.
  fileprivate(set) var marks: [SourceSpan] = []
  private var depth = 0
  /// How many more parts may be read and written, those that lead nowhere too.
  private var steps: Int
  /// How many `%@` were met whose values stand behind the condition.
  var placeholders = 0
  /// Those values.
  var placeholderValues: [ForeignExpression] = []
  /// Whether `{` behind a call opens a closure: not in `for x in y.z() {`.
  var allowsTrailingClosure = true

  init(_ bytes: [UInt8], _ span: SourceSpan, _ dialect: Dialect) {
    self.bytes = bytes
    self.dialect = dialect
    tokens = ForeignLexer.tokens(of: bytes, span, dialect)
    steps = min(40_000, 2_000 + 30 * tokens.count)
  }

  /// So deep brackets nest; deeper ones are nobody's.
  private static let maximumDepth = 120

  func deeper<Read>(_ read: () throws(ForeignProblem) -> Read) throws(ForeignProblem) -> Read {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw unreadable }
    try step()
    return try read()
  }

  /// So many steps stand behind each other, or operands beside each other.
  private static let longestChain = 300

  /// Goes on from an expression as long as there is something that makes more of it.
  func chain(
    _ first: ForeignExpression,
    _ next: (ForeignExpression) throws(ForeignProblem) -> ForeignExpression?
  ) throws(ForeignProblem) -> ForeignExpression {
    var (found, length) = (first, 0)
    while let more = try next(found) {
      (found, length) = (more, length + 1)
      if length > Self.longestChain { throw unreadable }
    }
    return found
  }

  /// What may be one thing or another is read as both, and in brackets of brackets as both of both:
  /// a text that takes too many steps is nobody's, and each further one fails at once.
  func step() throws(ForeignProblem) {
    steps -= 1
    if steps < 0 { throw unreadable }
  }
}

// The tokens
extension ForeignParser {
  var token: ForeignToken { tokens[min(position, tokens.count - 1)] }

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

  func expect(_ sign: String) throws(ForeignProblem) {
    guard take(sign) else { throw unreadable }
  }

  func expectWord(_ word: String) throws(ForeignProblem) {
    guard takeWords(word) else { throw unreadable }
  }

  var unreadable: ForeignProblem { .unreadable(token.span) }

  func span(from start: Int) -> SourceSpan { SourceSpan(start, max(start, lastEnd)) }

  func source(_ span: SourceSpan) -> String {
    String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  /// Notes that a construct is another language's, and Kura's in no case.
  func mark(_ language: ForeignLanguage, at span: SourceSpan) {
    if self.language == nil { self.language = language }
    marks.append(span)
  }

  /// Notes the place of a construct that says nothing of its language.
  func note(_ span: SourceSpan) { marks.append(span) }

  /// The first place at which something stands that Kura writes otherwise.
  var foreignPlace: SourceSpan? { marks.min { $0.start < $1.start } }

  /// A name that somebody chose, in quotes or without.
  func takeName() throws(ForeignProblem) -> String {
    switch token.kind {
    case .word, .quotedName: return take().text
    case .string where token.isDoubleQuoted || dialect == .sql: return take().text
    default: throw unreadable
    }
  }

  /// Goes behind the bracket that closes the one which comes next.
  func skipBrackets() {
    var open = 0
    repeat {
      let next = take()
      if next.is("(") || next.is("[") || next.is("{") { open += 1 }
      if next.is(")") || next.is("]") || next.is("}") { open -= 1 }
    } while open > 0 && !isAtEnd
  }

  /// Reads values between commas.
  func list<Read>(
    _ read: () throws(ForeignProblem) -> Read
  ) throws(ForeignProblem) -> [Read] {
    var all = [try read()]
    while take(",") { all.append(try read()) }
    return all
  }

  /// Tries to read something, and goes back where it fails.
  func attempt<Read>(_ read: () throws(ForeignProblem) -> Read?) -> Read? {
    let start = (position, marks.count, language)
    if let found = try? read() { return found }
    position = start.0
    marks.removeLast(marks.count - start.1)
    language = start.2
    return nil
  }
}
