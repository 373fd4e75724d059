import KuraDiagnostics

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
