package import KuraDiagnostics

/// The tokens of a text, and the rule that ends a statement.
///
/// A statement ends at `;` and at a blank line outside brackets. It also ends at a line end, if the
/// grammar allows it and the next line is not indented deeper. Use `required` if another operand
/// must follow: it ignores line ends. Use `optional` if the statement could end. In a format
/// string, both are the same.
package struct TokenCursor: Sendable {
  /// The next token, regardless of line ends.
  package private(set) var token: Token
  /// The span of the last token that was taken.
  package private(set) var lastSpan: SourceSpan
  /// The number of open brackets.
  package private(set) var depth = 0
  /// The bracket depth at which a line end can end a statement: 0, or 1 inside the braces of an
  /// entity.
  package var lineDepth = 0
  /// The indentation that a continuation line must exceed.
  package var indent: Int
  /// The offset before which a line continues the statement, whatever its indentation.
  package var joinedTo = 0
  private var lexer: Lexer

  /// Begins at the first token, on the first line of the statement.
  package init(_ lexer: Lexer, indent: Int? = nil) {
    self.lexer = lexer
    self.lexer.isAtStatement = true
    token = self.lexer.next()
    self.indent = indent ?? token.indent
    lastSpan = SourceSpan(token.span.start, token.span.start)
    token.startsLine = false
    token.followsBlankLine = false
  }

  /// Begins at the start of a whole text.
  package init(_ text: SourceText, mode: Lexer.Mode) {
    self.init(Lexer(text.bytes, from: 0, to: text.bytes.count, base: 0, mode: mode))
  }
}

extension TokenCursor {
  package var mode: Lexer.Mode { lexer.mode }

  /// Whether it reads a statement, with comments, objects and line ends.
  package var isStatement: Bool { lexer.mode == .statement }

  /// The next token if one must follow: only `;`, a blank line or the end of the text stops it.
  @inline(__always) package var required: Token {
    isAtHardEnd ? endToken : token
  }

  /// The next token if the statement can end: a line end also stops it.
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

  /// Returns the cursor limited to an offset, which is not before the end of the next token.
  package func upTo(_ end: Int) -> TokenCursor {
    var result = self
    result.lexer.end(at: end)
    return result
  }

  /// Returns the token that ends the bracket around this place; nil if an invalid token, or the end, precedes it.
  func endOfBracket() -> Token? {
    var ahead = self
    while true {
      let token = ahead.take()
      if token.end != nil { return nil }
      if case .invalid = token.kind { return nil }
      if ahead.depth < depth { return token }
    }
  }

  /// Returns the token after the next one.
  package func peek() -> Token {
    var ahead = lexer
    return ahead.next()
  }

  /// Continues at a later offset, after a section in another language.
  package mutating func jump(to end: Int) {
    lastSpan = SourceSpan(token.span.start, end)
    lexer.position = min(max(end + lexer.base, lexer.position), lexer.limit)
    token = lexer.next()
  }

  private mutating func countBracket(_ symbol: Symbol) {
    if symbol.closing != nil { depth += 1 } else if symbol.closes { depth = max(0, depth - 1) }
  }
}

// Inlined, so that callers load the few fields they need instead of copying the cursor. The right
// side of `||` and `&&` is a closure, which would copy it.
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

  /// The end token directly after the last token, as the place where something is missing.
  @inline(__always) private var endToken: Token {
    Token(.end(end), span: SourceSpan(lastSpan.end, lastSpan.end))
  }

  /// The end token for the end of a line.
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

// Inlined, for the same reason
extension TokenCursor {
  @inline(__always) package func bytes(_ span: SourceSpan) -> ArraySlice<UInt8> {
    let start = min(max(span.start + lexer.base, 0), lexer.limit)
    return lexer.bytes[start..<max(start, min(span.end + lexer.base, lexer.limit))]
  }

  @inline(__always) package func text(_ span: SourceSpan) -> String {
    String(decoding: bytes(span), as: UTF8.self)
  }

  /// The text of the last token. A word or a number includes the path that it ends, as in `Item/1`.
  package var lastText: String {
    let isInPath = { (byte: UInt8) in
      byte.continuesWord || byte >= 0x80 || "$./".utf8.contains(byte)
    }
    guard bytes(lastSpan).allSatisfy(isInPath) else { return text(lastSpan) }
    let before = bytes(SourceSpan(0, lastSpan.start))
    let path = before.reversed().prefix(while: isInPath).count
    return text(SourceSpan(lastSpan.start - path, lastSpan.end))
  }

  /// Returns the text of a span up to the first byte that is not UTF-8. It has as many bytes as the
  /// source, so that offsets in it correspond to the source.
  func textInPlace(_ span: SourceSpan) -> String {
    var text = ""
    var decoder = UTF8()
    var rest = bytes(span).makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&rest) {
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  @inline(__always) package func text(_ token: Token) -> String { text(token.span) }

  /// Returns whether a token is this word. The parameter is in lower case; the token can be in any
  /// case.
  @inline(__always) package func isWord(_ token: Token, _ word: StaticString) -> Bool {
    guard token.kind == .word else { return false }
    let bytes = bytes(token.span)
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { wanted in
      zip(bytes, wanted).allSatisfy { $0.capital == $1.capital }
    }
  }

  /// Returns whether one of these symbols can follow the next token. It looks only at bytes, so
  /// that the words of a long text cause no copy of the cursor.
  @inline(__always) package func mayPrecede(_ symbols: StaticString) -> Bool {
    var place = token.span.end + lexer.base
    while place < lexer.limit, lexer.bytes[place].isBlankOrLineEnd { place += 1 }
    guard place < lexer.limit else { return false }
    let byte = lexer.bytes[place]
    // After `-` or `\` there may be a comment or a joined line, and then anything.
    if isStatement, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "\\") { return true }
    return symbols.withUTF8Buffer { $0.contains(byte) }
  }

  /// The offset after the last byte of the text.
  package var endOffset: Int { lexer.limit - lexer.base }
}
