import KuraDiagnostics
package import KuraPredicates

/// A cursor in a line that is being typed: the word at it, and what may stand there.
///
///     CursorPlace("fetch Item where ti", at: 19)     // prefix "ti"; a predicate, of Item
///
/// What that is of a model, with its types, `CheckContext.candidates` says.
package struct CursorPlace: Sendable {
  /// What of the word stands before the cursor: `ti`, `$h`, `"2026-`
  package let prefix: String
  /// Where the word begins; what is chosen stands there.
  package let start: Int
  package let expectations: [Expectation]

  /// Looks at a text of statements; what stands behind the offset does not count.
  package init(_ text: String, at offset: Int) {
    let bytes = Array(text.utf8.prefix(offset))
    var lexer = Lexer(bytes, from: 0, to: bytes.count, base: 0, mode: .statement)
    var begin = BeginOfStatement(bytes)
    var last = lexer.next()
    var next = last
    while next.end == nil {
      last = next
      begin.take(last)
      next = lexer.next()
    }
    start = last.isWordAtCursor && last.span.end == bytes.count ? last.span.start : bytes.count
    prefix = String(decoding: bytes[start...], as: UTF8.self)
    let breakOff = BreakOff()
    let rest = Lexer(bytes, from: begin.place, to: start, base: 0, mode: .statement)
    let parser = StatementParser(TokenCursor(rest))
    parser.predicates.breakOff = breakOff
    _ = try? parser.parse()
    expectations = breakOff.expectations
  }
}

/// Where the statement begins that the last token belongs to.
private struct BeginOfStatement {
  private(set) var place = 0
  private let bytes: [UInt8]
  private var depth = 0
  /// Whether the statement ends with its closing brace.
  private var endsAtBrace: Bool?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func take(_ token: Token) {
    if endsAtBrace == nil {
      let word = bytes[token.span.start..<token.span.end]
      endsAtBrace = StatementCatalogue.syntax(beginning: word)?.endsAtBrace ?? false
    }
    guard case .symbol(let symbol) = token.kind else { return }
    if symbol.closing != nil { depth += 1 } else if symbol.closes { depth = max(0, depth - 1) }
    let isEnd = symbol == .semicolon || symbol == .rightBrace && endsAtBrace == true
    if depth == 0, isEnd { (place, endsAtBrace) = (token.span.end, nil) }
  }
}

extension Token {
  /// Whether more letters would belong to it.
  fileprivate var isWordAtCursor: Bool {
    switch kind {
    case .word, .hashWord, .variable, .collectionOperator, .number, .invalid: true
    case .string, .specifier, .symbol, .end: false
    }
  }
}
