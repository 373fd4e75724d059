/// The hooks of an editor, which does not know the language that is typed.
package struct EditorHooks {
  /// Whether Enter ends the text: `fetch MemoDate where` is not complete.
  package var isComplete: (String) -> Bool = { _ in true }
  /// Whether a pasted line continues the text before it.
  package var continues: (_ text: String, _ next: String) -> Bool = { _, _ in false }
  /// Returns the number of columns of a character on the screen: 0, 1 or 2.
  package var displayWidth: (Character) -> Int = { $0.isASCII ? 1 : 2 }
  /// Returns a character with hidden parts as escapes.
  package var visible: (String) -> String = { $0 }
  /// Returns the text with combining marks joined to their letters (NFC).
  package var composed: (String) -> String = { $0 }
  /// Returns the colors of a text with the cursor before a byte, in order and without overlap.
  package var highlight: (_ text: String, _ cursor: Int) -> [StyledSpan] = { _, _ in [] }
  /// Returns what could follow the text; it is shown dimmed and accepted with Right or End.
  package var hint: (String) -> String = { _ in "" }
  /// Whether previous statements may be hints, too.
  package var hintsHistory: () -> Bool = { false }
  /// Whether a statement failed when it was last run.
  package var hasFailed: (_ statement: String) -> Bool = { _ in false }
  /// Returns a note about the place of the cursor, which is shown below the text.
  package var notice: (_ text: String, _ cursor: Int) -> String = { _, _ in "" }
  /// Returns the completions at the cursor; nil if Tab is a character.
  package var complete: (_ text: String, _ cursor: Int) -> Completions? = { _, _ in nil }
  /// Returns the help about the word at the cursor.
  package var help: (_ text: String, _ cursor: Int) -> String = { _, _ in "" }
  /// Returns the previous statement with the fix that was offered; nil if there was no fix.
  package var corrected: () -> String? = { nil }
  /// Shows a text that is longer than the screen; returns false if it is to be written directly.
  package var page: (String) -> Bool = { _ in false }
  /// Lets the user edit the text in another program; nil if that failed, which was reported.
  package var edit: (String) -> String? = { _ in nil }
  package var styles = EditorStyles()

  /// Creates hooks that accept every line as complete.
  package init() {}
}

/// A color for a part of the text.
package struct StyledSpan: Sendable, Equatable {
  /// Offsets in UTF-8.
  package var range: Range<Int>
  /// The parameters of the escape sequence: `1;34`
  package var style: String

  /// Colors the bytes of `range`.
  package init(_ range: Range<Int>, style: String) {
    self.range = range
    self.style = style
  }
}

/// The parameters of the escape sequences for everything but the text itself.
package struct EditorStyles: Sendable {
  package var hint = "2"
  package var selected = "7"
  package var meaning = "2"
  package var match = "7"
  package var notice = "33"

  package init() {}

  /// No colors, except that the selection is reversed, because nothing else shows it.
  package static var plain: EditorStyles {
    var styles = EditorStyles()
    styles.meaning = ""
    styles.notice = ""
    return styles
  }
}

/// The completions at a cursor.
package struct Completions: Sendable {
  /// The byte at which the typed word begins; a choice replaces the text from there to the cursor.
  package var start: Int
  /// The items, the likeliest first.
  package var items: [Completion]

  package init(start: Int, items: [Completion]) {
    self.start = start
    self.items = items
  }
}

/// A completion.
package struct Completion: Sendable, Equatable {
  /// The inserted text.
  package var text: String
  /// The text in the menu.
  package var label: String
  /// A short description.
  package var meaning: String

  package init(_ text: String, label: String? = nil, meaning: String = "") {
    self.text = text
    self.label = label ?? text
    self.meaning = meaning
  }
}
