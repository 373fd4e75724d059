import KuraDiagnostics
package import KuraPredicates

/// A cursor in a line that is being typed: the word at it, and what is expected there.
///
///     CursorPlace("fetch Item where ti", at: 19)     // prefix "ti"; a predicate, of Item
///
/// `CheckContext.candidates` finds the names of a model that fit.
package struct CursorPlace: Sendable {
  /// The part of the word before the cursor: `ti`, `$h`, `"2026-`
  package let prefix: String
  /// The start of the word; a completion replaces it from there.
  package let start: Int
  package let expectations: [Expectation]

  /// Reads a text of statements up to the offset.
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
    let recorder = ExpectationRecorder()
    let rest = Lexer(bytes, from: begin.place, to: start, base: 0, mode: .statement)
    let parser = StatementParser(TokenCursor(rest))
    parser.predicates.recorder = recorder
    _ = try? parser.parse()
    expectations = recorder.expectations
  }
}

/// Finds the start of the statement that contains the last token.
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
      endsAtBrace = StatementCatalog.syntax(beginning: word)?.endsAtBrace ?? false
    }
    guard case .symbol(let symbol) = token.kind else { return }
    if symbol.closing != nil { depth += 1 } else if symbol.closes { depth = max(0, depth - 1) }
    let isEnd = symbol == .semicolon || symbol == .rightBrace && endsAtBrace == true
    if depth == 0, isEnd { (place, endsAtBrace) = (token.span.end, nil) }
  }
}

extension Token {
  /// Whether further letters would belong to it.
  fileprivate var isWordAtCursor: Bool {
    switch kind {
    case .word, .hashWord, .variable, .collectionOperator, .number, .invalid: true
    case .string, .specifier, .symbol, .end: false
    }
  }
}
