import KuraDiagnostics

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
