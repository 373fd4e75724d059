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

extension Lexer {
  mutating func readToken() -> Token {
    let start = position
    guard position < limit else { return token(.end(.text), from: start) }
    let byte = bytes[position]
    if byte.startsWord || byte >= 0x80 { return readWord() }
    if byte.isDigit { return readNumber() }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return readString()
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

  /// `$today`, `@count`
  private mutating func readNamed(_ kind: Token.Kind) -> Token {
    let start = position
    position += 1
    return skipIdentifier() ? token(kind, from: start) : token(.invalid(.missingName), from: start)
  }

  /// `#like`, `#"first name"`
  private mutating func readHashWord() -> Token {
    let start = position
    guard byte(1) == UInt8(ascii: "\"") else { return readNamed(.hashWord) }
    position += 1
    let isClosed = skipString()
    return token(isClosed ? .hashWord : .invalid(.unclosedQuote), from: start)
  }

  private mutating func readString() -> Token {
    let start = position
    let isClosed = skipString()
    return token(isClosed ? .string : .invalid(.unclosedQuote), from: start)
  }

  /// Goes behind the closing quote, or, in a statement, to the line's end.
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

  /// `%@` and the like where arguments are given, else a symbol that has no meaning.
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

  /// Goes behind an identifier of any script; false, and nowhere, if there is none.
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

  /// The place behind the letters, digits and `_` that are ASCII.
  private func endOfLetters() -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var place = position
      while place < limit, bytes[place].continuesWord { place += 1 }
      return place
    }
  }

  /// `UTI-CONFORMS-TO`, `UTI-EQUALS`: the two keywords that are no identifier.
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

  /// The character at a place and its length in bytes; nil where the bytes are no UTF-8.
  private func scalar(at place: Int) -> (Unicode.Scalar, Int)? {
    let slice = bytes[place..<min(place + 4, limit)]
    var decoder = UTF8()
    var iterator = slice.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return (scalar, UTF8.width(scalar))
  }
}

/// Characters that look like a symbol of the language, as a Japanese keyboard or a word
/// processor types them.
enum Lookalike {
  /// `=` for `＝`, a blank for an ideographic one; nil for any other character.
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
  /// `3`, `2.5`, `9.2e-5`, `0x1F`, `0o17`, `0b101`; a point needs a digit on both sides.
  mutating func readNumber() -> Token {
    let start = position
    if let radix = numberRadix {
      position += 2
      let count = skipDigits(radix)
      if count == 0 { return readBrokenNumber(from: start, .numberWithoutDigits) }
    } else {
      skipDecimal()
    }
    return byte().continuesWord || byte() >= 0x80
      ? readBrokenNumber(from: start, .numberWithLetters) : token(.number, from: start)
  }

  private var numberRadix: Int? {
    guard byte() == UInt8(ascii: "0") else { return nil }
    switch byte(1) | 32 {
    case UInt8(ascii: "x"): return 16
    case UInt8(ascii: "o"): return 8
    case UInt8(ascii: "b"): return 2
    default: return nil
    }
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

  /// Takes the letters behind a number with it; a character that is no letter stands for itself.
  private mutating func readBrokenNumber(from start: Int, _ problem: LexicalProblem) -> Token {
    let end = position
    while byte().continuesWord { position += 1 }
    if position == end, byte() >= 0x80, !skipIdentifier() { return token(.number, from: start) }
    return token(.invalid(problem), from: start)
  }
}
