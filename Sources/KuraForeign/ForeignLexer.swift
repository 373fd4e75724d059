import KuraDiagnostics

/// A word, literal or sign of a text in some language.
struct ForeignToken: Sendable {
  enum Kind: Sendable, Hashable {
    /// `title`, also `$0`, `@count`, `#keyPath`
    case word
    /// A text in quotes; its value is `text`.
    case string
    /// A name in quotes of its own: `x` in backticks
    case quotedName
    case number
    /// `==`, `(`
    case sign
    case end
  }

  var kind: Kind
  /// The value of a string; otherwise the characters of the source.
  var text: String
  var span = SourceSpan.none
  /// Whether it is the first token of its line.
  var startsLine = false
  /// Whether it directly follows the token before.
  var isAdjacent = false
  /// Whether it is a string in double quotes, which are for names in SQL.
  var isDoubleQuoted = false

  func `is`(_ sign: String) -> Bool { kind == .sign && text == sign }

  /// Returns whether it is a word, in any case.
  func isWord(_ word: String) -> Bool {
    kind == .word && text.utf8.count == word.utf8.count && text.lowercased() == word.lowercased()
  }

  /// Returns whether it is one of some words, given in lowercase.
  func isWord(among words: Set<String>) -> Bool {
    kind == .word && words.contains(text.lowercased())
  }
}

/// Splits a text in any of the languages into tokens. It accepts every text: an unknown sign is a
/// token of its own.
struct ForeignLexer {
  private let bytes: [UInt8]
  private let dialect: Dialect
  private var position: Int
  private let end: Int
  private var startsLine = true

  /// Returns all tokens, the last of them of kind `end`.
  static func tokens(of bytes: [UInt8], _ span: SourceSpan, _ dialect: Dialect) -> [ForeignToken] {
    var lexer = ForeignLexer(
      bytes: bytes, dialect: dialect, position: span.start, end: min(span.end, bytes.count))
    var tokens: [ForeignToken] = []
    repeat { tokens.append(lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() -> ForeignToken {
    let before = position
    skipBlanks()
    let start = position
    var token = read()
    token.span = SourceSpan(start, position)
    token.startsLine = startsLine
    token.isAdjacent = start == before && before > 0
    startsLine = false
    return token
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < end ? bytes[position + offset] : 0
  }

  private func `is`(_ character: Unicode.Scalar, at offset: Int = 0) -> Bool {
    byte(offset) == UInt8(ascii: character)
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position..<end].starts(with: $0) }
  }

  /// Skips bytes, and returns the text from a place up to them.
  private mutating func text(from start: Int, while isPart: (Self) -> Bool) -> String {
    while position < end, isPart(self) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}

// Blanks and comments
extension ForeignLexer {
  private mutating func skipBlanks() {
    while position < end {
      if self.is("\n") { startsLine = true }
      if starts(with: "/*") {
        _ = text(from: position) { !$0.starts(with: "*/") }
        position = min(end, position + 2)
      } else if startsLineComment {
        _ = text(from: position) { !$0.is("\n") }
      } else if starts(with: "\u{3000}") {
        position += 3
      } else {
        let isContinued = self.is("\\") && ForeignText.isBlank(byte(1))
        guard ForeignText.isBlank(byte()) || isContinued else { return }
        position += 1
      }
    }
  }

  private var startsLineComment: Bool {
    switch dialect {
    case .sql: starts(with: "--")
    case .kura:
      starts(with: "--") && !Self.isDigit(byte(2))
        && (position == 0 || ForeignText.isBlank(bytes[position - 1]))
    case .code: starts(with: "// ") || starts(with: "# ") || starts(with: "///")
    }
  }

  private mutating func read() -> ForeignToken {
    let (start, first) = (position, byte())
    guard position < end else { return ForeignToken(kind: .end, text: "") }
    if let quote = stringStart { return readString(quote) }
    if Self.isDigit(first) { return readNumber() }
    if Self.isWordByte(first) { return readWord() }
    switch Unicode.Scalar(first) {
    case "`": return readQuotedName(until: first)
    case "[":
      if let end = bracketedName { return readQuotedName(until: bytes[end]) }
    case "#" where self.is("\"", at: 1):
      // `#"first name"`
      position += 1
      var name = readString(byte())
      name.kind = .quotedName
      return name
    case "$", "#", "@":
      if Self.isWordByte(byte(1)) { return readWord() }
    case ":" where dialect != .code:
      if Self.isWordByte(byte(1)), !Self.isDigit(byte(1)), !followsWord { return readWord() }
    default: break
    }
    let known = Self.signs.first { bytes[position..<end].starts(with: $0) }
    position += known?.count ?? 1
    return ForeignToken(kind: .sign, text: text(from: start) { _ in false })
  }

  private static let signs = [
    "===", "!==", "<=>", "..<", "...", "<=", ">=", "<>", "!=", "==", "&&", "||", "??", "=>", "->",
    "::", "?.", "**", "<<", ">>", "+=", "-=", "=~", "!~*", "!~", "~*", "~=", "=<",
  ].map { Array($0.utf8) }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte | 32) &- 97 < 26 || byte == UInt8(ascii: "_") || isDigit(byte)
  }

  private var followsWord: Bool { position > 0 && Self.isWordByte(bytes[position - 1]) }

  /// Reads `title`, `$0`, `@count`, `#keyPath`, `:name`.
  private mutating func readWord() -> ForeignToken {
    let start = position
    position += 1
    let word = text(from: start) { Self.isWordByte($0.byte()) && !$0.starts(with: "\u{3000}") }
    return ForeignToken(kind: .word, text: word)
  }

  private mutating func readNumber() -> ForeignToken {
    func isDigit(_ lexer: Self) -> Bool { Self.isDigit(lexer.byte()) }
    let start = position
    var digits = text(from: start) {
      isDigit($0) || $0.is("_") && Self.isDigit($0.byte(1))
    }
    if self.is("."), Self.isDigit(byte(1)) {
      position += 1
      digits = text(from: start, while: isDigit)
    }
    if byte() | 32 == UInt8(ascii: "e"),
      Self.isDigit(byte(1)) || Self.isDigit(byte(2)) && !Self.isWordByte(byte(1))
    {
      position += 2
      digits = text(from: start, while: isDigit)
    }
    return ForeignToken(kind: .number, text: digits.filter { $0 != "_" })
  }
}

// Strings
extension ForeignLexer {
  /// The quote with which a string begins here, possibly after a letter or `@`.
  private var stringStart: UInt8? {
    if self.is("\"") || self.is("'") { return byte() }
    let prefixes = dialect == .code ? "@rbfu" : "nNeE"
    return (self.is("\"", at: 1) || self.is("'", at: 1)) && prefixes.utf8.contains(byte())
      && !followsWord ? byte(1) : nil
  }

  private mutating func readString(_ quote: UInt8) -> ForeignToken {
    let start = position
    if byte() != quote { position += 1 }
    var value: [UInt8] = []
    position += 1
    while position < end {
      let next = byte()
      if next == UInt8(ascii: "\\"), dialect != .sql {
        value += escaped(byte(1))
        position += 2
        continue
      }
      position += 1
      if next == quote {
        guard byte() == quote, dialect != .code else {
          var string = ForeignToken(kind: .string, text: String(decoding: value, as: UTF8.self))
          string.isDoubleQuoted = quote == UInt8(ascii: "\"")
          return string
        }
        position += 1
      }
      value.append(next)
    }
    position = min(position, end)
    // A quote that is not closed is read as a sign that no language has.
    return ForeignToken(kind: .sign, text: text(from: start) { _ in false })
  }

  private func escaped(_ letter: UInt8) -> [UInt8] {
    switch Unicode.Scalar(letter) {
    case "n": [10]
    case "t": [9]
    case "\\", "\"", "'", "/": [letter]
    default: [UInt8(ascii: "\\"), letter]
    }
  }

  /// The end of the bracket in `[first name]`, as some databases write names.
  private var bracketedName: Int? {
    guard dialect == .sql, Self.isWordByte(byte(1)), !Self.isDigit(byte(1)) else { return nil }
    let inside = bytes[(position + 1)..<end].prefix { Self.isWordByte($0) || $0 == 32 }
    return inside.endIndex < end && bytes[inside.endIndex] == UInt8(ascii: "]")
      ? inside.endIndex : nil
  }

  private mutating func readQuotedName(until quote: UInt8) -> ForeignToken {
    position += 1
    let name = text(from: position) { $0.byte() != quote && !$0.is("\n") }
    position = min(end, position + 1)
    return ForeignToken(kind: .quotedName, text: name)
  }
}
