import KuraDiagnostics

/// Makes tokens from UTF-8, one at a time, each byte read once.
///
/// Nothing is refused here: what is no token is one of kind `.invalid`, which the parser reports
/// when it gets there.
package struct Lexer: Sendable {
  let bytes: [UInt8]
  private(set) var limit: Int
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

  /// Makes the text end at an offset.
  mutating func end(at offset: Int) { limit = min(limit, max(position, offset + base)) }

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

extension Lexer {
  /// What was skipped before a token.
  struct Blanks {
    /// How many lines ended.
    var lines = 0
    /// Whether one of the lines had nothing in it.
    var hasBlankLine = false
    /// The columns of blanks on the token's own line.
    var indent = 0
    fileprivate var lineIsBlank = false
  }

  mutating func skipBlanks() -> Blanks {
    var blanks = Blanks()
    while position < limit {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") {
        blanks.endLine()
      } else if byte.isBlank {
        blanks.widen(by: byte)
      } else if startsComment {
        skipComment()
        blanks.skipText()
        continue
      } else if let end = joinedLineStart {
        position = end
        blanks.joinLine()
        continue
      } else {
        break
      }
      position += 1
    }
    return blanks
  }

  /// `--` behind a blank or the line's start, with a blank or the line's end behind it.
  private var startsComment: Bool {
    guard mode == .statement, byte() == UInt8(ascii: "-"), byte(1) == UInt8(ascii: "-") else {
      return false
    }
    if isAtStatement { return true }
    return isBlankOrEdge(position - 1) && isBlankOrEdge(position + 2)
  }

  private func isBlankOrEdge(_ place: Int) -> Bool {
    guard place >= 0, place < limit else { return true }
    return bytes[place].isBlank || bytes[place] == UInt8(ascii: "\n")
  }

  private mutating func skipComment() {
    while position < limit, bytes[position] != UInt8(ascii: "\n") { position += 1 }
  }

  /// Where the line begins that a `\` here joins to this one; nil if it joins none.
  private var joinedLineStart: Int? {
    guard mode == .statement, byte() == UInt8(ascii: "\\"), !endsWithContinuation else {
      return nil
    }
    let end = skippingBlanks(position + 1)
    return end < limit && bytes[end] == UInt8(ascii: "\n") ? end + 1 : nil
  }

  /// Whether a `\` here is the text's last word, with at most its own line's end behind it.
  var endsWithContinuation: Bool {
    guard mode == .statement, byte() == UInt8(ascii: "\\") else { return false }
    var end = skippingBlanks(position + 1)
    if end < limit, bytes[end] == UInt8(ascii: "\n") { end = skippingBlanks(end + 1) }
    return end == limit
  }

  private func skippingBlanks(_ start: Int) -> Int {
    var place = start
    while place < limit, bytes[place].isBlank { place += 1 }
    return place
  }
}

extension Lexer.Blanks {
  fileprivate mutating func endLine() {
    hasBlankLine = hasBlankLine || lineIsBlank
    lines += 1
    lineIsBlank = true
    indent = 0
  }

  /// A TAB goes to the next multiple of eight columns.
  fileprivate mutating func widen(by byte: UInt8) {
    if byte == 9 { indent = (indent / 8 + 1) * 8 } else if byte == 32 { indent += 1 }
  }

  /// Goes on in the next line as if it were this one.
  fileprivate mutating func joinLine() {
    lineIsBlank = true
    indent = 0
  }

  fileprivate mutating func skipText() { lineIsBlank = false }
}

// The classes of bytes that the language distinguishes.
extension UInt8 {
  var isDigit: Bool { self &- 48 < 10 }

  var isWordLetter: Bool { (self | 32) &- 97 < 26 }

  /// A letter or `_`.
  var startsWord: Bool { isWordLetter || self == UInt8(ascii: "_") }

  var continuesWord: Bool { startsWord || isDigit }

  /// A blank that does not end a line.
  var isBlank: Bool { self == 32 || self == 9 || self == 13 }

  var isBlankOrLineEnd: Bool { isBlank || self == UInt8(ascii: "\n") }

  /// The ASCII letter in its upper case; every other byte is its own.
  var capital: UInt8 { self &- 97 < 26 ? self &- 32 : self }

  /// `F` is 15.
  var hexDigit: Int? {
    isDigit ? Int(self) - 48 : (self | 32) &- 97 < 6 ? Int(self | 32) - 87 : nil
  }
}

extension Unicode.Scalar {
  var startsIdentifier: Bool { self == "_" || properties.isIDStart }
  var continuesIdentifier: Bool { properties.isIDContinue }
}

extension String {
  /// Whether it can be written as a key without quotes: `題名`, `a1`, but not `first name`.
  package var isIdentifier: Bool {
    guard let first = unicodeScalars.first, first.startsIdentifier else { return false }
    return unicodeScalars.dropFirst().allSatisfy(\.continuesIdentifier)
  }
}
