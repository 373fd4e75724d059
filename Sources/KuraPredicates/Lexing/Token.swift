package import KuraDiagnostics

/// One word, literal or symbol of a text, with what stands before it.
package struct Token: Sendable {
  package var kind: Kind
  package var span: SourceSpan
  /// The word's meaning in the predicate language, if it has one.
  package var keyword: Keyword?
  /// Whether it is the first of its line.
  package var startsLine = false
  /// Whether a blank line stands before it.
  package var followsBlankLine = false
  /// Whether it touches what stands before it.
  package var isAdjacent = false
  /// The columns of blanks before it, if it is the first of its line.
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
    /// Nothing more.
    case end(End)
  }

  /// What ends a text or a statement.
  package enum End: Sendable, Hashable {
    /// The text's last byte.
    case text
    /// A last `\`: more was promised.
    case continuation
    /// `;`
    case semicolon
    /// A blank line outside brackets.
    case blankLine
    /// The end of a line where the statement may end.
    case line
  }
}

extension Token {
  /// Whether it is this symbol.
  package func `is`(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }

  /// Whether it is the word with this meaning.
  package func `is`(_ keyword: Keyword) -> Bool { self.keyword == keyword }

  /// What ended the text, if it did.
  package var end: End? {
    if case .end(let end) = kind { end } else { nil }
  }
}

/// Why some characters are no token.
package enum LexicalProblem: Sendable, Hashable {
  /// `"abc`
  case unclosedQuote
  /// `5475f3`, `12px`
  case numberWithLetters
  /// `0x`, `0b2`
  case numberWithoutDigits
  /// `#`, `$`, `@` alone
  case missingName
  /// A character that is in no word or symbol.
  case unknownCharacter
  /// `＝`, `“`, an ideographic blank: what it looks like is a symbol.
  case lookalike
  /// Bytes that are no UTF-8.
  case notUTF8
}
