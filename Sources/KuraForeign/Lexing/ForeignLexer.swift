import KuraDiagnostics

/// Makes tokens of a text in any of the languages: none is refused, an unknown sign is one of its own.
struct ForeignLexer {
  private let bytes: [UInt8]
  private let dialect: Dialect
  private var position: Int
  private let end: Int
  private var startsLine = true

  init(_ bytes: [UInt8], from start: Int, to end: Int, dialect: Dialect) {
    self.bytes = bytes
    self.dialect = dialect
    position = start
    self.end = min(end, bytes.count)
  }

  /// All tokens, the last of them of kind `end`.
  static func tokens(of bytes: [UInt8], _ span: SourceSpan, _ dialect: Dialect) -> [ForeignToken] {
    var lexer = ForeignLexer(bytes, from: span.start, to: span.end, dialect: dialect)
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

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position..<end].starts(with: $0) }
  }
}

// What stands between tokens
extension ForeignLexer {
  private mutating func skipBlanks() {
    while position < end {
      if byte() == UInt8(ascii: "\n") { startsLine = true }
      if starts(with: "/*") {
        skipComment()
      } else if startsLineComment {
        while position < end, byte() != UInt8(ascii: "\n") { position += 1 }
      } else if starts(with: "\u{3000}") {
        position += 3
      } else if byte() == UInt8(ascii: "\\"), ForeignText.isBlank(byte(1)),
        !ForeignText.isBlank(byte())
      {
        position += 1
      } else {
        guard ForeignText.isBlank(byte()) else { return }
        position += 1
      }
    }
  }

  private mutating func skipComment() {
    position += 2
    while position < end, !starts(with: "*/") { position += 1 }
    position = min(end, position + 2)
  }

  private var startsLineComment: Bool {
    switch dialect {
    case .sql: starts(with: "--")
    case .kura:
      starts(with: "--") && !isDigit(byte(2))
        && (position == 0 || ForeignText.isBlank(bytes[position - 1]))
    case .code: starts(with: "// ") || starts(with: "# ") || starts(with: "///")
    }
  }
}

extension ForeignLexer {
  private mutating func read() -> ForeignToken {
    guard position < end else { return token(.end, "") }
    let first = byte()
    if let quote = stringStart { return readString(quote) }
    if isWordByte(first), !isDigit(first) { return readWord() }
    if isDigit(first) { return readNumber() }
    switch first {
    case UInt8(ascii: "`"): return readQuotedName(until: UInt8(ascii: "`"))
    case UInt8(ascii: "["):
      if let end = bracketedName { return readQuotedName(until: bytes[end]) }
    case UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "@"):
      if let word = readMarkedWord() { return word }
    case UInt8(ascii: ":"):
      if dialect == .sql || dialect == .kura, isWordByte(byte(1)), !isDigit(byte(1)),
        position == 0 || !isWordByte(bytes[position - 1])
      {
        return readMarkedWord() ?? readSign()
      }
    default: break
    }
    return readSign()
  }

  private func token(_ kind: ForeignToken.Kind, _ text: String) -> ForeignToken {
    ForeignToken(kind: kind, text: text, span: .none)
  }

  private func text(from start: Int) -> String {
    String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  private func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte | 32) &- 97 < 26 || byte == UInt8(ascii: "_") || isDigit(byte)
  }

  private mutating func readWord() -> ForeignToken {
    let start = position
    while position < end, isWordByte(byte()), !starts(with: "\u{3000}") { position += 1 }
    return token(.word, text(from: start))
  }

  /// `$0`, `$name`, `@count`, `#keyPath`, `:name`, and `#"first name"` without its sign.
  private mutating func readMarkedWord() -> ForeignToken? {
    let start = position
    if byte() == UInt8(ascii: "#"), byte(1) == UInt8(ascii: "\"") {
      position += 1
      var name = readString(UInt8(ascii: "\""))
      name.kind = .quotedName
      return name
    }
    guard isWordByte(byte(1)) else { return nil }
    position += 1
    _ = readWord()
    return token(.word, text(from: start))
  }

  private mutating func readNumber() -> ForeignToken {
    let start = position
    while isDigit(byte()) || byte() == UInt8(ascii: "_") && isDigit(byte(1)) { position += 1 }
    if byte() == UInt8(ascii: "."), isDigit(byte(1)) {
      position += 1
      while isDigit(byte()) { position += 1 }
    }
    if byte() | 32 == UInt8(ascii: "e"),
      isDigit(byte(1)) || isDigit(byte(2)) && !isWordByte(byte(1))
    {
      position += 2
      while isDigit(byte()) { position += 1 }
    }
    return token(.number, text(from: start).filter { $0 != "_" })
  }

  private static let signs = [
    "===", "!==", "<=>", "..<", "...", "<=", ">=", "<>", "!=", "==", "&&", "||", "??", "=>", "->",
    "::", "?.", "**", "<<", ">>", "+=", "-=", "=~", "!~*", "!~", "~*", "=<",
  ].map { Array($0.utf8) }

  private mutating func readSign() -> ForeignToken {
    let start = position
    let known = Self.signs.first { bytes[position..<end].starts(with: $0) }
    position += known?.count ?? 1
    return token(.sign, text(from: start))
  }
}

// Strings
extension ForeignLexer {
  /// The quote with which a string begins here, with a letter or `@` before it or not.
  private var stringStart: UInt8? {
    func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
    if isQuote(byte()) { return byte() }
    guard isQuote(byte(1)) else { return nil }
    let prefixes = dialect == .code ? "@rbfu" : "nNeE"
    return prefixes.utf8.contains(byte()) && (position == 0 || !isWordByte(bytes[position - 1]))
      ? byte(1) : nil
  }

  private mutating func readString(_ quote: UInt8) -> ForeignToken {
    let start = position
    var isClosed = false
    if byte() != quote { position += 1 }
    var string = token(.string, "")
    string.isDoubleQuoted = quote == UInt8(ascii: "\"")
    var value: [UInt8] = []
    position += 1
    while position < end {
      let next = byte()
      if next == UInt8(ascii: "\\"), dialect != .sql {
        value += escaped(byte(1))
        position += 2
      } else if next == quote {
        position += 1
        guard byte() == quote, dialect == .sql || dialect == .kura else {
          isClosed = true
          break
        }
        value.append(quote)
        position += 1
      } else {
        value.append(next)
        position += 1
      }
    }
    position = min(position, end)
    // A quote that nothing closes is a sign that no language has.
    guard isClosed else { return token(.sign, text(from: start)) }
    string.text = String(decoding: value, as: UTF8.self)
    return string
  }

  private func escaped(_ letter: UInt8) -> [UInt8] {
    switch letter {
    case UInt8(ascii: "n"): [10]
    case UInt8(ascii: "t"): [9]
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"): [letter]
    default: [UInt8(ascii: "\\"), letter]
    }
  }

  /// Where the bracket of `[first name]` ends, as one database writes names.
  private var bracketedName: Int? {
    guard dialect == .sql, isWordByte(byte(1)), !isDigit(byte(1)) else { return nil }
    let inside = bytes[(position + 1)..<end].prefix { isWordByte($0) || $0 == 32 }
    return inside.endIndex < end && bytes[inside.endIndex] == UInt8(ascii: "]")
      ? inside.endIndex : nil
  }

  private mutating func readQuotedName(until quote: UInt8) -> ForeignToken {
    position += 1
    let start = position
    while position < end, byte() != quote, byte() != UInt8(ascii: "\n") { position += 1 }
    let name = token(.quotedName, text(from: start))
    position = min(end, position + 1)
    return name
  }
}
