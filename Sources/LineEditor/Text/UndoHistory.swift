/// What was typed, to be taken back and done again: a word at a time, and each other change.
struct UndoHistory {
  struct State: Equatable {
    var text: String
    /// Counted in characters.
    var cursor: Int
  }

  private var before: [State] = []
  private var after: [State] = []
  private var present = State(text: "", cursor: 0)
  /// Whether the last change typed a part of a word, which the next character may join.
  private var isTyping = false
  private static let most = 500
  private static let mostBytes = 16_000_000

  /// Begins with a text.
  init(_ text: String = "") { present = State(text: text, cursor: text.count) }

  /// Notes the text as it is now.
  mutating func note(_ text: EditText) {
    guard text.text.utf8.count != present.text.utf8.count || text.text != present.text else {
      return present.cursor = text.cursor
    }
    let new = State(text: text.text, cursor: text.cursor)
    let continues = isTyping && typed(new, endsWord: false)
    if !continues { push(present) }
    isTyping = typed(new, endsWord: true)
    after = []
    present = new
  }

  /// The text before the last change.
  mutating func undo() -> State? {
    guard let state = before.popLast() else { return nil }
    after.append(present)
    isTyping = false
    present = state
    return state
  }

  /// The text before the last undo.
  mutating func redo() -> State? {
    guard let state = after.popLast() else { return nil }
    before.append(present)
    isTyping = false
    present = state
    return state
  }

  /// Whether one character was typed where the cursor was; behind a blank a word begins.
  private func typed(_ new: State, endsWord: Bool) -> Bool {
    guard new.cursor == present.cursor + 1, new.text.utf8.count > present.text.utf8.count,
      new.text.utf8.count - present.text.utf8.count <= 8,
      let last = new.text.dropFirst(present.cursor).first
    else { return false }
    return endsWord || !last.isWhitespace
  }

  private mutating func push(_ state: State) {
    before.append(state)
    if before.count > Self.most { before.removeFirst() }
    while before.count > 1, before.reduce(0, { $0 + $1.text.utf8.count }) > Self.mostBytes {
      before.removeFirst()
    }
  }
}
