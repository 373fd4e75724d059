import CLibEdit

/// What the keys do.
extension TerminalEditor {
  func run(_ number: Int32) -> clibedit_reply {
    guard let command = EditorCommand(rawValue: number) else { return CLIBEDIT_GO_ON }
    lastScalar = nil
    perform(command)
    if case .text = outcome { return CLIBEDIT_ACCEPT }
    return CLIBEDIT_GO_ON
  }

  private func perform(_ command: EditorCommand) {
    switch command {
    case .enter: enter()
    case .openLine: insert("\n")
    case .left: move(to: text.left)
    case .right: text.isAtEnd ? takeHint() : move(to: text.right)
    case .lineStart: move(to: text.lineStart)
    case .lineEnd: text.isAtEnd ? takeHint() : move(to: text.lineEnd)
    case .up: up()
    case .down: down()
    case .previousStatement: show(walk.previous(from: text.text))
    case .nextStatement: show(walk.next(from: text.text))
    case .deleteBackward: delete(text.left..<text.cursor)
    case .deleteForward: deleteForward()
    case .deleteOrLeave: text.isEmpty ? finish(.end) : deleteForward()
    case .paste: paste()
    case .search: search()
    case .clearScreen: clearScreen()
    }
  }

  private func enter() {
    let typed = text.text
    guard isAnswer || hooks.isComplete(typed) else { return insert("\n") }
    move(to: text.characters.count)
    finish(.text(typed))
  }

  private func takeHint() {
    let text = text.text
    if !isAnswer { insert(hooks.hint(text)) }
  }

  private func up() {
    guard let index = text.up(width: hooks.displayWidth) else {
      return show(walk.previous(from: text.text))
    }
    move(to: index)
  }

  private func down() {
    guard let index = text.down(width: hooks.displayWidth) else {
      return show(walk.next(from: text.text))
    }
    move(to: index)
  }

  func show(_ statement: String?) {
    if let statement { replaceText(with: statement) }
  }

  private func deleteForward() {
    let text = text
    delete(text.cursor..<text.right)
  }

  private func clearScreen() {
    screen.write(Escape.clearAll)
    screen.forget()
  }

  private func paste() {
    var pasted = PastedText()
    while let byte = nextByte(drawing: {}) {
      if pasted.take(byte) { return insert(hooks.composed(pasted.text)) }
    }
  }
}

/// The text that libedit holds.
extension TerminalEditor {
  var text: EditText {
    let text = clibedit_get_text(editor)
    let scalars = UnsafeBufferPointer(start: text.scalars, count: text.count)
    var view = String.UnicodeScalarView()
    for scalar in scalars { view.append(Unicode.Scalar(UInt32(bitPattern: scalar)) ?? "\u{FFFD}") }
    return EditText(String(view), scalarCursor: text.cursor)
  }

  private var scalarCursor: Int { clibedit_get_text(editor).cursor }

  func move(to index: Int) {
    clibedit_move(editor, Int32(clamping: text.scalars(before: index) - scalarCursor))
  }

  func insert(_ text: String) {
    let scalars = text.unicodeScalars.map { Int32(bitPattern: $0.value) }
    _ = clibedit_insert(editor, scalars, scalars.count)
  }

  /// Deletes characters and leaves the cursor where they were.
  func delete(_ range: Range<Int>) {
    let text = text
    move(to: range.upperBound)
    let count = text.scalars(before: range.upperBound) - text.scalars(before: range.lowerBound)
    clibedit_delete_before(editor, Int32(clamping: count))
  }

  func replaceText(with new: String) {
    delete(0..<text.characters.count)
    insert(new)
  }

  /// What libedit's own commands leave behind is put right before it is drawn.
  func settle() {
    composeTypedMark()
    leaveMiddleOfCharacter()
  }

  /// A mark that is typed after its letter joins it: か and ゛ become が.
  private func composeTypedMark() {
    guard let mark = lastScalar else { return }
    lastScalar = nil
    guard mark.value >= 0x300 else { return }
    let text = text
    guard text.cursor > 0 else { return }
    let typed = String(text.characters[text.cursor - 1])
    let composed = hooks.composed(typed)
    guard !composed.unicodeScalars.elementsEqual(typed.unicodeScalars) else { return }
    delete(text.cursor - 1..<text.cursor)
    insert(composed)
  }

  /// Words and vi count scalars; the cursor never stays between the scalars of one character.
  private func leaveMiddleOfCharacter() {
    let text = text
    let inside = scalarCursor - text.scalars(before: text.cursor)
    if inside > 0 { clibedit_move(editor, -Int32(clamping: inside)) }
  }
}
