import KuraDiagnostics

/// Splits UTF-8 into tokens, one at a time, reading each byte once.
///
/// The lexer accepts everything: characters that are not a token become one of kind `.invalid`,
/// which the parser reports when it reaches it.
package struct Lexer: Sendable {
  let bytes: [UInt8]
  private(set) var limit: Int
  /// The offset that spans are relative to, so that a statement in a file counts from its own first
  /// line.
  let base: Int
  let mode: Mode
  /// The offset of the next byte.
  package var position: Int
  /// Whether a statement can begin here, so that `--` starts a comment without a blank after it.
  var isAtStatement = false

  package enum Mode: Sendable, Hashable {
    /// A format string: line ends are blanks, and there are no comments.
    case format(takesArguments: Bool)
    /// A statement: it can have comments, and a line end can terminate it.
    case statement
  }

  package init(_ bytes: [UInt8], from start: Int, to limit: Int, base: Int, mode: Mode) {
    self.bytes = bytes
    self.limit = min(limit, bytes.count)
    self.base = base
    self.mode = mode
    position = min(max(start, 0), self.limit)
  }

  /// Moves the end of the text to an offset.
  mutating func end(at offset: Int) { limit = min(limit, max(position, offset + base)) }

  /// Returns the next token; at the end of the text, always one of kind `.end`.
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

  /// Returns the byte at a distance from the position; zero after the end.
  func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < limit ? bytes[position + offset] : 0
  }

  func span(from start: Int) -> SourceSpan { SourceSpan(start - base, position - base) }

  func token(_ kind: Token.Kind, from start: Int) -> Token { Token(kind, span: span(from: start)) }
}

extension Lexer {
  /// The blanks before a token.
  struct Blanks {
    /// The number of line ends.
    var lines = 0
    /// Whether one of the lines was blank.
    var hasBlankLine = false
    /// The columns of indentation on the token's line.
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

  /// Whether `--` starts a comment here: after a blank or at the line start, and before a blank or
  /// the line end.
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

  /// The start of the next line, if a `\` here joins it to this one; otherwise nil.
  private var joinedLineStart: Int? {
    guard mode == .statement, byte() == UInt8(ascii: "\\"), !endsWithContinuation else {
      return nil
    }
    let end = skippingBlanks(position + 1)
    return end < limit && bytes[end] == UInt8(ascii: "\n") ? end + 1 : nil
  }

  /// Whether a `\` here ends the text, except for its own line end.
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

  /// Counts a blank. A TAB advances to the next multiple of eight columns.
  fileprivate mutating func widen(by byte: UInt8) {
    if byte == 9 { indent = (indent / 8 + 1) * 8 } else if byte == 32 { indent += 1 }
  }

  /// Continues on the next line as if it were this one.
  fileprivate mutating func joinLine() {
    lineIsBlank = true
    indent = 0
  }

  fileprivate mutating func skipText() { lineIsBlank = false }
}

// Classes of bytes
extension UInt8 {
  var isDigit: Bool { self &- 48 < 10 }

  var isWordLetter: Bool { (self | 32) &- 97 < 26 }

  /// Whether it is a letter or `_`.
  var startsWord: Bool { isWordLetter || self == UInt8(ascii: "_") }

  var continuesWord: Bool { startsWord || isDigit }

  /// Whether it is `"` or `'`.
  var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }

  /// Whether it is a blank that does not end a line.
  var isBlank: Bool { self == 32 || self == 9 || self == 13 }

  var isBlankOrLineEnd: Bool { isBlank || self == UInt8(ascii: "\n") }

  /// The ASCII letter in upper case; other bytes are unchanged.
  var capital: UInt8 { self &- 97 < 26 ? self &- 32 : self }

  /// The value of a hexadecimal digit: `F` is 15.
  var hexDigit: Int? {
    isDigit ? Int(self) - 48 : (self | 32) &- 97 < 6 ? Int(self | 32) - 87 : nil
  }
}

extension Unicode.Scalar {
  var startsIdentifier: Bool { self == "_" || properties.isIDStart }
  var continuesIdentifier: Bool { properties.isIDContinue }
}

extension String {
  /// Whether it is a key without quotes: `題名`, `a1`, but not `first name`.
  package var isIdentifier: Bool {
    guard let first = unicodeScalars.first, first.startsIdentifier else { return false }
    return unicodeScalars.dropFirst().allSatisfy(\.continuesIdentifier)
  }
}

extension Lexer {
  mutating func readToken() -> Token {
    let start = position
    guard position < limit else { return token(.end(.text), from: start) }
    let byte = bytes[position]
    if byte.startsWord || byte >= 0x80 { return readWord() }
    if byte.isDigit { return readNumber() }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return readString(.string, from: start)
    case UInt8(ascii: "#"): return readHashWord()
    case UInt8(ascii: "$"): return readNamed(.variable)
    case UInt8(ascii: "@"): return readNamed(.collectionOperator)
    case UInt8(ascii: "%"): return readPercent()
    default: return readSymbol()
    }
  }

  private mutating func readSymbol() -> Token {
    let start = position
    if endsWithContinuation {
      position = limit
      return Token(.end(.continuation), span: span(from: start))
    }
    guard let symbol = Symbol.longest(byte(), byte(1), byte(2)) else {
      position += 1
      return token(.invalid(.unknownCharacter), from: start)
    }
    position += symbol.rawValue.utf8.count
    return token(.symbol(symbol), from: start)
  }

  /// Reads `$today` or `@count`.
  private mutating func readNamed(_ kind: Token.Kind) -> Token {
    let start = position
    position += 1
    return skipIdentifier() ? token(kind, from: start) : token(.invalid(.missingName), from: start)
  }

  /// Reads `#like` or `#"first name"`.
  private mutating func readHashWord() -> Token {
    let start = position
    guard byte(1) == UInt8(ascii: "\"") else { return readNamed(.hashWord) }
    position += 1
    return readString(.hashWord, from: start)
  }

  private mutating func readString(_ kind: Token.Kind, from start: Int) -> Token {
    let isClosed = skipString()
    return token(isClosed ? kind : .invalid(.unclosedQuote), from: start)
  }

  /// Moves past the closing quote or, in a statement, to the end of the line. Returns whether the
  /// string is closed.
  mutating func skipString() -> Bool {
    let quote = byte()
    position += 1
    while position < limit {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n"), mode == .statement { return false }
      position += 1
      if byte == quote { return true }
      if byte == UInt8(ascii: "\\"), position < limit, bytes[position] != UInt8(ascii: "\n") {
        position += 1
      }
    }
    return false
  }

  /// Reads a specifier such as `%@` if there are arguments; otherwise a symbol without meaning.
  private mutating func readPercent() -> Token {
    let start = position
    position += 1
    let length = specifierLength
    position += length
    return token(length > 0 ? .specifier : .symbol(.percent), from: start)
  }

  private var specifierLength: Int {
    guard case .format(let takesArguments) = mode else { return 0 }
    guard takesArguments else { return byte() == 64 || byte() == UInt8(ascii: "K") ? 1 : 0 }
    var length = 0
    while "hlqzjtL".utf8.contains(byte(length)) { length += 1 }
    let last = byte(length)
    return last.isWordLetter || last == 64 || last == UInt8(ascii: "%") ? length + 1 : 0
  }
}

extension Lexer {
  mutating func readWord() -> Token {
    let start = position
    guard skipIdentifier() else { return readUnknownCharacter() }
    let keyword = Keyword(bytes[start..<position]) ?? readTypeOperator(from: start)
    var word = token(.word, from: start)
    word.keyword = keyword
    return word
  }

  /// Moves past an identifier of any script; returns false if there is none.
  mutating func skipIdentifier() -> Bool {
    let start = position
    if byte().startsWord { position = endOfLetters() }
    while position < limit {
      let byte = bytes[position]
      if byte < 0x80 {
        guard position > start ? byte.continuesWord : byte.startsWord else { break }
        position += 1
      } else {
        guard let (scalar, length) = scalar(at: position) else { break }
        guard position > start ? scalar.continuesIdentifier : scalar.startsIdentifier else { break }
        position += length
      }
    }
    return position > start
  }

  /// Returns the offset after ASCII letters, digits and `_`.
  private func endOfLetters() -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var place = position
      while place < limit, bytes[place].continuesWord { place += 1 }
      return place
    }
  }

  /// Reads `UTI-CONFORMS-TO` or `UTI-EQUALS`, the two keywords that are not identifiers.
  private mutating func readTypeOperator(from start: Int) -> Keyword? {
    guard position - start == 3, byte() == UInt8(ascii: "-") else { return nil }
    for keyword in [Keyword.utiConformsTo, .utiEquals] {
      let end = start + keyword.rawValue.utf8.count
      guard end <= limit, end == limit || !bytes[end].continuesWord else { continue }
      if bytes[start..<end].map(\.capital).elementsEqual(keyword.rawValue.utf8) {
        position = end
        return keyword
      }
    }
    return nil
  }

  private mutating func readUnknownCharacter() -> Token {
    let start = position
    guard let (scalar, length) = scalar(at: position) else {
      position += 1
      return token(.invalid(.notUTF8), from: start)
    }
    position += length
    let isKnown = Lookalike.meaning(of: scalar) != nil
    return token(.invalid(isKnown ? .lookalike : .unknownCharacter), from: start)
  }

  /// Returns the character at an offset and its length in bytes; nil if the bytes are not UTF-8.
  private func scalar(at place: Int) -> (Unicode.Scalar, Int)? {
    let slice = bytes[place..<min(place + 4, limit)]
    var decoder = UTF8()
    var iterator = slice.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return (scalar, UTF8.width(scalar))
  }
}

/// Characters that look like a symbol of the language, as Japanese keyboards and word processors
/// insert them.
enum Lookalike {
  /// Returns the intended symbol: `=` for `＝`, a blank for an ideographic space; nil for any other
  /// character.
  static func meaning(of scalar: Unicode.Scalar) -> String? {
    if let symbol = table[scalar] { return symbol }
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return nil }
    return Unicode.Scalar(scalar.value - 0xFEE0).map { String($0) }
  }

  private static let table: [Unicode.Scalar: String] = [
    "\u{3000}": " ", "\u{A0}": " ", "\u{2009}": " ", "\u{202F}": " ", "\u{FEFF}": "",
    "\u{200B}": "", "“": "\"", "”": "\"", "„": "\"", "「": "\"", "」": "\"", "『": "\"",
    "』": "\"", "｢": "\"", "｣": "\"", "〝": "\"", "〟": "\"", "«": "\"", "»": "\"", "‘": "'", "’": "'",
    "《": "\"", "》": "\"", "〈": "\"", "〉": "\"", "【": "\"", "】": "\"", "、": ",", "。": ".", "−": "-",
    "–": "-",
    "—": "-", "≤": "<=", "≦": "<=", "≥": ">=", "≧": ">=", "≠": "!=", "×": "*", "÷": "/",
    "①": "1", "②": "2", "③": "3", "④": "4", "⑤": "5", "⑥": "6", "⑦": "7", "⑧": "8", "⑨": "9",
    "⑩": "10", "｡": ".", "､": ",", "⇒": "=>",
  ]
}

extension Lexer {
  /// Reads `3`, `2.5`, `9.2e-5`, `0x1F`, `0o17` or `0b101`. A point needs a digit on both sides.
  mutating func readNumber() -> Token {
    let start = position
    if let radix = NumberLiteral.radix(byte(), byte(1)) {
      position += 2
      let count = skipDigits(radix)
      if count == 0 { return readBrokenNumber(from: start, .numberWithoutDigits) }
    } else {
      skipDecimal()
    }
    return byte().continuesWord || byte() >= 0x80
      ? readBrokenNumber(from: start, .numberWithLetters) : token(.number, from: start)
  }

  private mutating func skipDigits(_ radix: Int) -> Int {
    let start = position
    while let digit = byte().hexDigit, digit < radix { position += 1 }
    return position - start
  }

  private mutating func skipDecimal() {
    _ = skipDigits(10)
    if byte() == UInt8(ascii: "."), byte(1).isDigit {
      position += 1
      _ = skipDigits(10)
    }
    guard byte() | 32 == UInt8(ascii: "e") else { return }
    let sign = byte(1) == UInt8(ascii: "-") || byte(1) == UInt8(ascii: "+") ? 2 : 1
    guard byte(sign).isDigit else { return }
    position += sign
    _ = skipDigits(10)
  }

  /// Reads the letters after a number as part of it. A character that is not a letter starts its
  /// own token.
  private mutating func readBrokenNumber(from start: Int, _ problem: LexicalProblem) -> Token {
    let end = position
    while byte().continuesWord { position += 1 }
    if position == end, byte() >= 0x80, !skipIdentifier() { return token(.number, from: start) }
    return token(.invalid(problem), from: start)
  }
}
