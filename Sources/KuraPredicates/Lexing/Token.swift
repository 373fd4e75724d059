package import KuraDiagnostics

/// A word, literal or symbol of a text, with its surroundings.
package struct Token: Sendable {
  package var kind: Kind
  package var span: SourceSpan
  /// The keyword, if the word is one.
  package var keyword: Keyword?
  /// Whether it is the first token of its line.
  package var startsLine = false
  /// Whether a blank line precedes it.
  package var followsBlankLine = false
  /// Whether it immediately follows the previous token.
  package var isAdjacent = false
  /// The columns of indentation, if it is the first token of its line.
  package var indent = 0

  package init(_ kind: Kind, span: SourceSpan) {
    self.kind = kind
    self.span = span
  }

  package enum Kind: Sendable, Hashable {
    /// `title`, `AND`
    case word
    /// `#like`, `#"first name"`
    case hashWord
    /// `$today`
    case variable
    /// `@count`
    case collectionOperator
    /// `"誕生"`, `'x'`
    case string
    /// `3`, `2.5e3`, `0x1F`
    case number
    /// `%@`, `%lld`
    case specifier
    /// `==`
    case symbol(Symbol)
    /// `"never closed`
    case invalid(LexicalProblem)
    /// The end of a text or statement.
    case end(End)
  }

  /// The ways in which a text or a statement can end.
  package enum End: Sendable, Hashable {
    /// The end of the text.
    case text
    /// A trailing `\`, which announces another line.
    case continuation
    /// `;`
    case semicolon
    /// A blank line outside brackets.
    case blankLine
    /// The end of a line at which the statement can end.
    case line
    /// The `}` that ends a statement of the model, whatever follows.
    case brace
  }
}

extension Token {
  package func `is`(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }

  package func `is`(_ keyword: Keyword) -> Bool { self.keyword == keyword }

  /// The way in which the text or statement ended; nil for other tokens.
  package var end: End? {
    if case .end(let end) = kind { end } else { nil }
  }
}

/// The reasons why characters are not a token.
package enum LexicalProblem: Sendable, Hashable {
  /// `"abc`
  case unclosedQuote
  /// `5475f3`, `12px`
  case numberWithLetters
  /// `0x`, `0b2`
  case numberWithoutDigits
  /// `#`, `$`, `@` alone
  case missingName
  /// A character that no word or symbol contains.
  case unknownCharacter
  /// `＝`, `“`, an ideographic space: a character that looks like a symbol.
  case lookalike
  /// Bytes that are not UTF-8.
  case notUTF8
}

/// A symbol of the predicate language or of statements.
package enum Symbol: String, Sendable, Hashable, CaseIterable {
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBracket = "["
  case rightBracket = "]"
  case leftBrace = "{"
  case rightBrace = "}"
  case comma = ","
  case dot = "."
  case colon = ":"
  case assign = ":="
  case semicolon = ";"
  case question = "?"
  case backslash = "\\"
  case percent = "%"
  case equal = "="
  case doubleEqual = "=="
  case tripleEqual = "==="
  case bangEqual = "!="
  case bangDoubleEqual = "!=="
  case lessGreater = "<>"
  case less = "<"
  case lessEqual = "<="
  case equalLess = "=<"
  case greater = ">"
  case greaterEqual = ">="
  case equalGreater = "=>"
  case doubleLess = "<<"
  case doubleGreater = ">>"
  case doubleAmpersand = "&&"
  case ampersand = "&"
  case doubleBar = "||"
  case bar = "|"
  case bang = "!"
  case tilde = "~"
  case caret = "^"
  case doubleStar = "**"
  case star = "*"
  case plus = "+"
  case minus = "-"
  case slash = "/"
}

extension Symbol {
  /// The closing bracket for this one.
  package var closing: Symbol? {
    switch self {
    case .leftParenthesis: .rightParenthesis
    case .leftBracket: .rightBracket
    case .leftBrace: .rightBrace
    default: nil
    }
  }

  package var closes: Bool {
    self == .rightParenthesis || self == .rightBracket || self == .rightBrace
  }

  /// Returns the longest symbol that begins with these bytes; zero represents the end of the text.
  static func longest(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Symbol? {
    three(a, b, c) ?? two(a, b) ?? one(a)
  }

  private static func three(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> Symbol? {
    guard b == UInt8(ascii: "="), c == b else { return nil }
    return a == b ? .tripleEqual : a == UInt8(ascii: "!") ? .bangDoubleEqual : nil
  }

  private static func two(_ a: UInt8, _ b: UInt8) -> Symbol? {
    followers[Int(b)] ? doubles.first { $0.bytes == (a, b) }?.symbol : nil
  }

  private static let doubles: [(bytes: (UInt8, UInt8), symbol: Symbol)] = allCases.compactMap {
    let bytes = Array($0.rawValue.utf8)
    return bytes.count == 2 ? ((bytes[0], bytes[1]), $0) : nil
  }

  private static let followers: [Bool] = (0...255).map { byte in
    doubles.contains { $0.bytes.1 == byte }
  }

  private static func one(_ a: UInt8) -> Symbol? {
    a < 0x80 ? singles[Int(a)] : nil
  }

  private static let singles: [Symbol?] = (0..<128).map {
    Symbol(rawValue: String(Unicode.Scalar(UInt8($0))))
  }
}
