/// The states of the text for undo and redo, one per typed word and per other change.
struct UndoHistory {
  struct State: Equatable {
    var text: String
    /// The cursor in characters.
    var cursor: Int
  }

  private var before: [State] = []
  private var after: [State] = []
  private var present = State(text: "", cursor: 0)
  /// Whether the last change typed a part of a word, which the next character may extend.
  private var isTyping = false
  private static let most = 500
  private static let mostBytes = 16_000_000

  /// Begins with a text.
  init(_ text: String = "") { present = State(text: text, cursor: text.count) }

  /// Records the current text.
  mutating func note(_ text: EditText) {
    guard text.text.utf8.count != present.text.utf8.count || text.text != present.text else {
      return present.cursor = text.cursor
    }
    let typed = typedCharacter(text)
    let continues = isTyping && typed?.isWhitespace == false
    if !continues { push(present) }
    isTyping = typed != nil
    after = []
    present = State(text: text.text, cursor: text.cursor)
  }

  /// Returns the text before the last change.
  mutating func undo() -> State? {
    guard let state = before.popLast() else { return nil }
    after.append(present)
    isTyping = false
    present = state
    return state
  }

  /// Returns the text before the last undo.
  mutating func redo() -> State? {
    guard let state = after.popLast() else { return nil }
    before.append(present)
    isTyping = false
    present = state
    return state
  }

  /// Returns the typed character, if the only change is one at the cursor; a space begins a word.
  private func typedCharacter(_ new: EditText) -> Character? {
    guard new.cursor == present.cursor + 1 else { return nil }
    let character = new.characters[present.cursor]
    let grown = new.text.utf8.count - present.text.utf8.count
    return grown == character.utf8.count ? character : nil
  }

  private mutating func push(_ state: State) {
    before.append(state)
    if before.count > Self.most { before.removeFirst() }
    while before.count > 1, before.reduce(0, { $0 + $1.text.utf8.count }) > Self.mostBytes {
      before.removeFirst()
    }
  }
}
