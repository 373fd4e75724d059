/// What an editor asks its program, because it knows nothing of the language that is typed.
package struct EditorHooks {
  /// Whether Enter ends the text: `fetch MemoDate where` is not complete.
  package var isComplete: (String) -> Bool = { _ in true }
  /// How many columns a character takes on the screen: 0, 1 or 2.
  package var displayWidth: (Character) -> Int = { $0.isASCII ? 1 : 2 }
  /// A character with what is hidden in it as escapes.
  package var visible: (String) -> String = { $0 }
  /// The text with marks joined to their letters (NFC).
  package var composed: (String) -> String = { $0 }
  /// The colours of the text, in order and without overlap.
  package var highlight: (String) -> [StyledSpan] = { _ in [] }
  /// What could follow the text, shown pale behind it and taken with Right or End.
  package var hint: (String) -> String = { _ in "" }

  /// Makes hooks that take every line as complete.
  package init() {}
}

/// A colour for a part of the text.
package struct StyledSpan: Sendable, Equatable {
  /// Offsets in UTF-8.
  package var range: Range<Int>
  /// The parameters of the escape sequence: `1;34`
  package var style: String

  /// Colours the bytes of `range`.
  package init(_ range: Range<Int>, style: String) {
    self.range = range
    self.style = style
  }
}
