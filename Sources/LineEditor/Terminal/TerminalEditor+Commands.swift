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
    case .right: text.isAtEnd ? insert(hint(for: text)) : move(to: text.right)
    case .lineStart: move(to: text.lineStart)
    case .lineEnd: text.isAtEnd ? insert(hint(for: text)) : move(to: text.lineEnd)
    case .wordRight: wordRight()
    case .up: up()
    case .down: down()
    case .previousStatement: show(walk.previous(from: text.text))
    case .nextStatement: show(walk.next(from: text.text))
    case .deleteBackward: delete(text.left..<text.cursor)
    case .deleteForward: deleteForward()
    case .deleteOrLeave: text.isEmpty ? finish(.end) : deleteForward()
    case .search: search(.backward)
    case .searchForward: search(.forward)
    case .clearScreen: clearScreen()
    case .complete: complete()
    case .undo: restore(changes.undo())
    case .redo: restore(changes.redo())
    case .editOutside: editOutside()
    case .mend: takeFix()
    case .help: showHelp()
    }
  }

  func enter() {
    let typed = text.text
    guard isAnswer || hooks.isComplete(typed) && !isFollowed(typed) else { return insert("\n") }
    move(to: text.characters.count)
    finish(.text(typed))
  }

  /// Whether lines that were pasted without marks go on with the statement.
  private func isFollowed(_ typed: String) -> Bool {
    let next = waitingLine()
    return !next.isEmpty && hooks.goesOn(typed, next)
  }

  private func wordRight() {
    let text = text
    guard text.isAtEnd else { return move(to: text.wordEnd) }
    let hint = EditText(Array(hint(for: text)), cursor: 0)
    insert(String(hint.characters[..<hint.wordEnd]))
  }

  private func up() {
    guard let index = text.up(width: hooks.displayWidth) else {
      return show(walk.previous(from: text.text, beginningAlike: true))
    }
    move(to: index)
  }

  private func down() {
    guard let index = text.down(width: hooks.displayWidth) else {
      return show(walk.next(from: text.text, beginningAlike: true))
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

  private func restore(_ state: UndoHistory.State?) {
    guard let state else { return }
    replaceText(with: state.text)
    move(to: state.cursor)
  }

  private func editOutside() {
    guard !isAnswer else { return }
    screen.finish(frame(hint: ""))
    let edited = outside { hooks.edit(text.text) }
    if let edited { replaceText(with: hooks.composed(edited)) }
  }

  /// Replaces the text with the mended statement; Undo brings the typed text back.
  private func takeFix() {
    guard !isAnswer else { return }
    guard let mended = hooks.mended() else { return notice = Sentences.noFix }
    replaceText(with: hooks.composed(mended))
  }

  private func showHelp() {
    let text = text
    let help = isAnswer ? "" : hooks.help(text.text, text.bytes(before: text.cursor))
    if help.isEmpty { return notice = Sentences.noHelp }
    if help.utf8.count(where: { $0 == 10 }) < screen.size.rows {
      return screen.show(help, below: frame(hint: ""))
    }
    screen.finish(frame(hint: ""))
    if !outside({ hooks.page(help) }) { screen.write(help.replacing("\n", with: "\r\n")) }
  }

  /// Inserts what a terminal pastes, up to the mark at its end.
  func paste() {
    var pasted = PastedText()
    while let byte = nextByte(drawing: {}) {
      if pasted.take(byte) { return insert(hooks.composed(pasted.text)) }
    }
  }

  /// What could follow the text: the rest of a statement of before, or what the language says.
  func hint(for text: EditText) -> String {
    guard !isAnswer, !text.isEmpty else { return "" }
    let known = hooks.hintsHistory() ? history.newest(beginningWith: text.text) : nil
    return known.map { String($0.dropFirst(text.characters.count)) } ?? hooks.hint(text.text)
  }
}

/// The text that libedit holds.
extension TerminalEditor {
  var text: EditText {
    let text = clibedit_get_text(editor)
    let scalars = UnsafeBufferPointer(start: text.scalars, count: text.count)
    return cache.text(of: scalars, cursor: text.cursor)
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
