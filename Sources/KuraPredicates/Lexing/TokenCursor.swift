package import KuraDiagnostics

/// The tokens of a text one after the other, and the one rule that ends a statement.
///
/// A statement ends at `;`, at a blank line outside brackets, or at a line's end if the grammar
/// lets it end there and the next line is not indented deeper. Whoever needs another operand
/// reads `required`, which a line's end does not stop; whoever could do without reads `optional`.
/// In a format string the two are one.
package struct TokenCursor: Sendable {
  /// The next token, wherever it stands.
  package private(set) var token: Token
  /// Where the last token that was taken stands.
  package private(set) var lastSpan: SourceSpan
  /// How many brackets are open.
  package private(set) var depth = 0
  /// The depth at which a line's end may end something: 0, or 1 in an entity's braces.
  package var lineDepth = 0
  /// The indentation of the line that others must be deeper than to go on.
  package var indent: Int
  /// A line that begins before this offset goes on with the statement, however it is indented.
  package var joinedTo = 0
  private var lexer: Lexer

  /// Begins at the first token, whose line is the statement's first.
  package init(_ lexer: Lexer, indent: Int? = nil) {
    self.lexer = lexer
    self.lexer.isAtStatement = true
    token = self.lexer.next()
    self.indent = indent ?? token.indent
    lastSpan = SourceSpan(token.span.start, token.span.start)
    token.startsLine = false
    token.followsBlankLine = false
  }

  /// Begins with a whole text.
  package init(_ text: SourceText, mode: Lexer.Mode) {
    self.init(Lexer(text.bytes, from: 0, to: text.bytes.count, base: 0, mode: mode))
  }
}

extension TokenCursor {
  package var mode: Lexer.Mode { lexer.mode }

  /// Whether it reads a statement, with its comments, objects and line ends.
  package var isStatement: Bool { lexer.mode == .statement }

  /// The next token where there must be one: only `;`, a blank line or the text's end stops it.
  @inline(__always) package var required: Token {
    isAtHardEnd ? endToken : token
  }

  /// The next token where the statement may end: a line's end stops it too.
  @inline(__always) package var optional: Token {
    let token = required
    if token.end == nil, isAtLineEnd { return lineEnd }
    return token
  }

  /// Takes the next token.
  @discardableResult
  package mutating func take() -> Token {
    let taken = token
    if case .symbol(let symbol) = taken.kind { countBracket(symbol) }
    lastSpan = taken.span
    token = lexer.next()
    return taken
  }

  /// The same up to an offset, which is not before the next token's end.
  package func upTo(_ end: Int) -> TokenCursor {
    var result = self
    result.lexer.end(at: end)
    return result
  }

  /// The token behind the next one.
  package func peek() -> Token {
    var ahead = lexer
    return ahead.next()
  }

  /// Goes on behind a place further on, which holds something of another language.
  package mutating func jump(to end: Int) {
    lastSpan = SourceSpan(token.span.start, end)
    lexer.position = min(max(end + lexer.base, lexer.position), lexer.limit)
    token = lexer.next()
  }

  private mutating func countBracket(_ symbol: Symbol) {
    if symbol.closing != nil { depth += 1 } else if symbol.closes { depth = max(0, depth - 1) }
  }
}

// Inlined, so that who asks loads the few fields that answer, and does not copy the cursor; the
// right side of `||` and `&&` is a closure, which would.
extension TokenCursor {
  @inline(__always) private var isAtHardEnd: Bool {
    if token.end != nil { return true }
    guard isStatement, depth == 0 else { return false }
    if token.followsBlankLine { return true }
    return token.is(.semicolon)
  }

  @inline(__always) var isAtLineEnd: Bool {
    guard isStatement, token.startsLine, depth == lineDepth else { return false }
    return token.indent <= indent && token.span.start >= joinedTo
  }

  /// An end right behind the last token, where something may be missing.
  @inline(__always) private var endToken: Token {
    Token(.end(end), span: SourceSpan(lastSpan.end, lastSpan.end))
  }

  /// The same where only the line ends.
  @inline(__always) var lineEnd: Token {
    Token(.end(.line), span: SourceSpan(lastSpan.end, lastSpan.end))
  }

  @inline(__always) private var end: Token.End {
    if isStatement, depth == 0 {
      if token.followsBlankLine { return .blankLine }
      if token.is(.semicolon) { return .semicolon }
    }
    guard let end = token.end else { return .line }
    return end
  }
}

// Inlined too, for the same reason.
extension TokenCursor {
  /// The bytes as they stand under a span.
  @inline(__always) package func bytes(_ span: SourceSpan) -> ArraySlice<UInt8> {
    let start = min(max(span.start + lexer.base, 0), lexer.limit)
    return lexer.bytes[start..<max(start, min(span.end + lexer.base, lexer.limit))]
  }

  /// The text as it stands under a span.
  @inline(__always) package func text(_ span: SourceSpan) -> String {
    String(decoding: bytes(span), as: UTF8.self)
  }

  /// The text under a span up to the first byte that is not UTF-8: as long as its bytes are, so
  /// that places in it are places in the source.
  func textInPlace(_ span: SourceSpan) -> String {
    var text = ""
    var decoder = UTF8()
    var rest = bytes(span).makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&rest) {
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  /// The text of a token as it stands.
  @inline(__always) package func text(_ token: Token) -> String { text(token.span) }

  /// Whether a token is this word, in lower case here and in any case there.
  @inline(__always) package func isWord(_ token: Token, _ word: StaticString) -> Bool {
    guard token.kind == .word else { return false }
    let bytes = bytes(token.span)
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { wanted in
      zip(bytes, wanted).allSatisfy { $0.capital == $1.capital }
    }
  }

  /// Whether one of these symbols may be what follows the next token; looked up without reading
  /// it, so that the words of a long text cost no copy of this cursor.
  @inline(__always) package func mayPrecede(_ symbols: StaticString) -> Bool {
    var place = token.span.end + lexer.base
    while place < lexer.limit, lexer.bytes[place].isBlankOrLineEnd { place += 1 }
    guard place < lexer.limit else { return false }
    let byte = lexer.bytes[place]
    // Behind `-` and `\` may be a comment or a joined line, and anything behind that.
    if isStatement, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "\\") { return true }
    return symbols.withUTF8Buffer { $0.contains(byte) }
  }

  /// The offset behind the last byte of the text.
  package var endOffset: Int { lexer.limit - lexer.base }
}
