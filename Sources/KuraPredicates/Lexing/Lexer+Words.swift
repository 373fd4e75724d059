import KuraDiagnostics

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
    "』": "\"", "«": "\"", "»": "\"", "‘": "'", "’": "'", "、": ",", "。": ".", "−": "-", "–": "-",
    "—": "-", "≤": "<=", "≦": "<=", "≥": ">=", "≧": ">=", "≠": "!=", "×": "*", "÷": "/",
  ]
}
