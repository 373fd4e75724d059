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
