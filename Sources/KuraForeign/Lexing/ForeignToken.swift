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
  /// The value of a string, else the characters as they stand.
  var text: String
  var span: SourceSpan
  /// Whether a line ended before it.
  var startsLine = false
  /// Whether nothing stands between it and the token before.
  var isAdjacent = false
  /// Whether it is a string in double quotes, which SQL has for names.
  var isDoubleQuoted = false

  func `is`(_ sign: String) -> Bool { kind == .sign && text == sign }

  /// Whether it is a word, in any case of letters.
  func isWord(_ word: String) -> Bool {
    kind == .word && text.utf8.count == word.utf8.count && text.lowercased() == word.lowercased()
  }

  /// Whether it is one of some words, given in small letters.
  func isWord(among words: Set<String>) -> Bool {
    kind == .word && words.contains(text.lowercased())
  }
}
