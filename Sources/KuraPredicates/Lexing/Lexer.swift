import KuraDiagnostics

/// Makes tokens from UTF-8, one at a time, each byte read once.
///
/// Nothing is refused here: what is no token is one of kind `.invalid`, which the parser reports
/// when it gets there.
package struct Lexer: Sendable {
  let bytes: [UInt8]
  let limit: Int
  /// What is taken from an offset to make a span, so that a statement inside a file counts from
  /// its own first line.
  let base: Int
  let mode: Mode
  /// The offset of the next byte.
  package var position: Int
  /// Where a statement may begin, `--` needs nothing after it.
  var isAtStatement = false

  package enum Mode: Sendable, Hashable {
    /// A format string: line ends are blanks, there are no comments.
    case format(takesArguments: Bool)
    /// A statement: comments, and lines that may end it.
    case statement
  }

  package init(_ bytes: [UInt8], from start: Int, to limit: Int, base: Int, mode: Mode) {
    self.bytes = bytes
    self.limit = min(limit, bytes.count)
    self.base = base
    self.mode = mode
    position = min(max(start, 0), self.limit)
  }

  /// Reads the next token; at the text's end there is one of kind `.end`, again and again.
  package mutating func next() -> Token {
    let start = position
    let blanks = skipBlanks()
    var token = readToken()
    token.startsLine = blanks.lines > 0
    token.followsBlankLine = blanks.hasBlankLine
    token.indent = blanks.indent
    token.isAdjacent = token.span.start == start - base && start > 0
    isAtStatement = false
    return token
  }

  /// The byte at an offset from here; zero behind the end.
  func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < limit ? bytes[position + offset] : 0
  }

  func span(from start: Int) -> SourceSpan { SourceSpan(start - base, position - base) }

  func token(_ kind: Token.Kind, from start: Int) -> Token { Token(kind, span: span(from: start)) }
}
