/// What an editor asks its program, because it knows nothing of the language that is typed.
package struct EditorHooks {
  /// Whether Enter ends the text: `fetch MemoDate where` is not complete.
  package var isComplete: (String) -> Bool = { _ in true }
  /// Whether a line that came with the text at once, and stands behind its Enter, belongs to it.
  package var goesOn: (_ text: String, _ next: String) -> Bool = { _, _ in false }
  /// How many columns a character takes on the screen: 0, 1 or 2.
  package var displayWidth: (Character) -> Int = { $0.isASCII ? 1 : 2 }
  /// A character with what is hidden in it as escapes.
  package var visible: (String) -> String = { $0 }
  /// The text with marks joined to their letters (NFC).
  package var composed: (String) -> String = { $0 }
  /// The colours of a text with the cursor before a byte, in order and without overlap.
  package var highlight: (_ text: String, _ cursor: Int) -> [StyledSpan] = { _, _ in [] }
  /// What could follow the text, shown pale behind it and taken with Right or End.
  package var hint: (String) -> String = { _ in "" }
  /// Whether statements of before may be hints, too.
  package var hintsHistory: () -> Bool = { false }
  /// Whether a statement that was read has failed since.
  package var hasFailed: (_ statement: String) -> Bool = { _ in false }
  /// What is to be said of the place where the cursor rests, in a line below.
  package var notice: (_ text: String, _ cursor: Int) -> String = { _, _ in "" }
  /// What may stand at the cursor; nil: Tab is a character.
  package var complete: (_ text: String, _ cursor: Int) -> Completions? = { _, _ in nil }
  /// What there is to know of the word at the cursor.
  package var help: (_ text: String, _ cursor: Int) -> String = { _, _ in "" }
  /// The statement before with the fix that was offered; nil if none was.
  package var mended: () -> String? = { nil }
  /// Shows a text that is longer than the screen; false: it is to be written as it is.
  package var page: (String) -> Bool = { _ in false }
  /// Lets a person edit the text in another program; nil if that failed, which was said.
  package var edit: (String) -> String? = { _ in nil }
  package var styles = EditorStyles()

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

/// The parameters of the escape sequences with which an editor draws what is not the text.
package struct EditorStyles: Sendable {
  package var hint = "2"
  package var selected = "7"
  package var meaning = "2"
  package var match = "7"
  package var notice = "33"

  package init() {}

  /// No colours; what is selected is reversed all the same, since nothing else shows it.
  package static var plain: EditorStyles {
    var styles = EditorStyles()
    styles.meaning = ""
    styles.notice = ""
    return styles
  }
}

/// What may stand at a cursor.
package struct Completions: Sendable {
  /// The byte where the word begins that is typed; what is chosen stands from there to the cursor.
  package var start: Int
  /// The likeliest first.
  package var items: [Completion]

  package init(start: Int, items: [Completion]) {
    self.start = start
    self.items = items
  }
}

/// One of the things that may stand there.
package struct Completion: Sendable, Equatable {
  /// What is put into the text.
  package var text: String
  /// What the menu shows.
  package var label: String
  /// A word about it.
  package var meaning: String

  package init(_ text: String, label: String? = nil, meaning: String = "") {
    self.text = text
    self.label = label ?? text
    self.meaning = meaning
  }
}
