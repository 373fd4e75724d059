import CLibEdit

/// Where keys come from, and what happens while nobody types.
extension TerminalEditor {
  /// What libedit asks for: a scalar, or -1 when the line is over.
  func nextForLibedit() -> Int32 {
    settle()
    guard let scalar = nextScalar(drawing: draw) else { return -1 }
    lastScalar = scalar
    let key = isVi && isLoneEscape(scalar) ? EditorCommand.escapeOfVi : scalar
    return Int32(bitPattern: key.value)
  }

  /// Whether Escape was pressed, and does not begin what another key sends.
  func isLoneEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{1B}" && input.waiting.isEmpty && !clibedit_has_input(file, 50)
  }

  /// The next scalar; nil when the line is over, and then `outcome` says why.
  func nextScalar(drawing draw: () -> Void) -> Unicode.Scalar? {
    while let byte = nextByte(drawing: draw) {
      if let scalar = decoder.feed(byte) { return scalar }
    }
    return nil
  }

  /// The next byte. Draws only before a wait, so that a fast typist or a paste costs one picture.
  func nextByte(drawing draw: () -> Void) -> UInt8? {
    while outcome == nil {
      if let byte = input.next() { return byte }
      if !clibedit_has_input(file, 0) { draw() }
      wait(drawing: draw)
    }
    return nil
  }

  private func wait(drawing draw: () -> Void) {
    switch clibedit_wait(file) {
    case CLIBEDIT_INPUT:
      if input.fill() != .some { finish(.end) }
    case CLIBEDIT_SIGNAL: handleSignals()
    default: finish(.end)
    }
  }

  /// Ends the reading: the text stays on the screen as it was typed.
  func finish(_ event: LineEvent, with ending: String = "") {
    guard outcome == nil else { return }
    outcome = event
    screen.finish(frame(hint: ""), with: ending)
  }

  func draw() {
    let text = text
    screen.draw(frame(hint: text.isAtEnd && !isAnswer ? hooks.hint(text.text) : ""))
  }

  private func frame(hint: String) -> Frame {
    let text = text
    return FrameLayout.frame(
      text, prompt: prompt, columns: screen.size.columns,
      highlight: isAnswer ? [] : hooks.highlight(text.text), hint: hint, width: hooks.displayWidth,
      visible: hooks.visible)
  }
}

/// Signals, and the state of the terminal that they find.
extension TerminalEditor {
  private static let whileEditing = [
    CLIBEDIT_RESIZE, CLIBEDIT_SUSPEND, CLIBEDIT_CONTINUE,
  ]

  /// Does something while the terminal is the editor's: between two lines it is as it was before.
  func withTerminal(_ edit: () -> Void) {
    for signal in Self.whileEditing { _ = clibedit_catch(signal) }
    screen.write(Escape.beginPastes)
    edit()
    leaveTerminal()
    for signal in Self.whileEditing { clibedit_release(signal) }
  }

  private func leaveTerminal() {
    screen.write(Escape.endPastes)
    clibedit_set_raw(editor, false)
  }

  private func enterTerminal() {
    // libedit believes that the terminal still is as it left it: the first call corrects that.
    clibedit_set_raw(editor, false)
    clibedit_set_raw(editor, true)
    screen.write(Escape.beginPastes)
  }

  func handleSignals() {
    // They stay, for whoever reads on: the program is to end.
    if Ending.isAsked { finish(.end, with: "\r\n") }
    _ = clibedit_take(CLIBEDIT_QUIT)
    // The next picture asks for the size of the window anyway.
    _ = clibedit_take(CLIBEDIT_RESIZE)
    if clibedit_take(CLIBEDIT_SUSPEND) { suspend() }
    if clibedit_take(CLIBEDIT_CONTINUE) { enterTerminal() }
    if Interrupt.take() { finish(.interrupted, with: "^C") }
  }

  private func suspend() {
    screen.write("\r\n")
    leaveTerminal()
    clibedit_perform_default(CLIBEDIT_SUSPEND)
    screen.forget()
    enterTerminal()
  }
}
