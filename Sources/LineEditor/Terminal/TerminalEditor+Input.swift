import CLibEdit

/// Where keys come from, and what happens while nobody types.
extension TerminalEditor {
  /// What libedit asks for: a scalar, or -1 when the line is over.
  func nextForLibedit() -> Int32 {
    if !isBegun { beginLine() }
    settle()
    narrowMenu()
    while queue.isEmpty {
      changes.note(text)
      guard let key = nextKey(drawing: draw) else { return -1 }
      take(key)
      settle()
    }
    let scalar = queue.removeFirst()
    lastScalar = scalar
    wasGiven = true
    return Int32(bitPattern: scalar.value)
  }

  private func beginLine() {
    isBegun = true
    insert(hooks.composed(prompt.draft))
    changes = UndoHistory(prompt.draft)
  }

  /// Does what a key means to the editor itself, and leaves the others to libedit.
  private func take(_ key: Key) {
    notice = nil
    // CR and LF in what was pasted without marks are one line end.
    let isSecondOfEnd = wasReturn && key == .scalar("\n") && isPasted
    wasReturn = key == .scalar("\r")
    if isSecondOfEnd { return }
    let isBlankThere = hasBlankOfChoice
    hasBlankOfChoice = false
    if menuTakes(key) { return }
    // The hand that types a blank behind each word does not know of the one that came with it.
    if isBlankThere, key == .scalar(" "), !isPasted { return }
    switch key {
    case .paste: paste()
    case .escape where isVi: queue = [EditorCommand.escapeOfVi]
    case .tab where isPasted: insert("\t")
    case .scalar("\r") where mayPassLibedit, .scalar("\n") where mayPassLibedit: enter()
    case .scalar(let scalar): take(scalar)
    case .sequence(let sequence): take(sequence, key.scalars)
    }
    isPlain = (key.isPlain || queue.isEmpty && isPasted) && !isVi
  }

  /// Whether libedit would only put into the text what is taken: no sequence of keys has begun.
  private var mayPassLibedit: Bool { isPlain && isPasted && !bindings.beginWithCharacters }

  /// Characters that wait behind another one go into the text at once: a paste without marks.
  private func take(_ scalar: Unicode.Scalar) {
    queue = [scalar]
    guard mayPassLibedit, Key.scalar(scalar).isPlain else { return }
    var run = String.UnicodeScalarView([scalar])
    while let key = waitingKey() {
      guard case .scalar(let next) = key, key.isPlain else {
        putBack = key
        break
      }
      run.append(next)
    }
    queue = []
    lastScalar = run.last
    insert(hooks.composed(String(run)))
  }

  /// Whether more came at once than anybody types.
  private var isPasted: Bool { input.burst >= 16 }

  /// A sequence that nobody knows types nothing.
  private func take(_ sequence: String, _ scalars: [Unicode.Scalar]) {
    if EditorCommand.sequences.contains(sequence) || bindings.keys.contains(sequence) {
      queue = scalars
    } else if scalars.count == 2, scalars[1] != "[", scalars[1] != "O" {
      queue = isVi ? [EditorCommand.escapeOfVi, scalars[1]] : scalars
    }
  }

  /// The next key; nil when the line is over, and then `outcome` says why.
  func nextKey(drawing draw: () -> Void) -> Key? {
    if let key = putBack {
      putBack = nil
      return key
    }
    while outcome == nil {
      if let key = waitingKey() { return key }
      if decoder.patience.map({ clibedit_has_input(file, $0) }) ?? true {
        guard let byte = nextByte(drawing: draw) else { return nil }
        if let key = decoder.feed(byte) { return key }
      } else if let key = decoder.flush() {
        return key
      }
    }
    return nil
  }

  /// A key whose bytes have come.
  private func waitingKey() -> Key? {
    while let byte = input.next() {
      if let key = decoder.feed(byte) { return key }
    }
    return nil
  }

  /// The next byte. Draws only before a wait, so that a fast typist or a paste costs one picture.
  func nextByte(drawing draw: () -> Void) -> UInt8? {
    while outcome == nil {
      if let byte = input.next() { return byte }
      // A paste comes in pieces, and needs one picture.
      if !clibedit_has_input(file, isPasted ? 15 : 0) { draw() }
      wait(drawing: draw)
    }
    return nil
  }

  private func wait(drawing draw: () -> Void) {
    switch clibedit_wait(file) {
    case CLIBEDIT_INPUT: fill()
    case CLIBEDIT_SIGNAL: handleSignals()
    default: finish(.end)
    }
  }

  /// The line that came behind the one that is read, and waits; empty where nothing does.
  func waitingLine() -> String {
    if input.waiting.isEmpty, isPasted, clibedit_has_input(file, 15) { fill() }
    let line = input.waiting.drop { $0 == 10 }.prefix { $0 != 13 && $0 != 10 }
    return String(decoding: line, as: UTF8.self)
  }

  /// Takes what has come. A terminal that is there but gives nothing was changed by another program,
  /// or a signal came first: neither ends a line that somebody is writing.
  private func fill() {
    switch input.fill() {
    case .some: emptyReadings = 0
    case .interrupted: break
    case .end, .failed:
      emptyReadings += 1
      if clibedit_is_hung_up(file) || emptyReadings > 100 { finish(.end) } else { enterTerminal() }
    }
  }

  /// Ends the reading: the text stays on the screen as it was typed.
  func finish(_ event: LineEvent, with ending: String = "") {
    guard outcome == nil else { return }
    outcome = event
    menu = nil
    screen.finish(frame(hint: "", isWhole: true), with: ending)
  }

  func draw() {
    let text = text
    var frame = frame(hint: text.isAtEnd && menu == nil ? hint(for: text) : "")
    frame.footer = footer()
    screen.draw(frame)
  }

  func frame(hint: String, isWhole: Bool = false) -> Frame {
    let text = text
    let size = screen.size
    return FrameLayout.frame(
      text, prompt: prompt, columns: size.columns, rows: isWhole ? nil : size.rows,
      highlight: highlight(of: text, isWhole: isWhole), hint: hint, width: hooks.displayWidth,
      visible: hooks.visible)
  }

  /// The colours; what is handed over is past the mark of a bracket.
  private func highlight(of text: EditText, isWhole: Bool) -> [StyledSpan] {
    isAnswer ? [] : hooks.highlight(text.text, isWhole ? -1 : text.bytes(before: text.cursor))
  }
}

extension Key {
  /// Whether it is a character that is put into the text as it is.
  fileprivate var isPlain: Bool {
    guard case .scalar(let scalar) = self else { return false }
    return scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
  }
}

/// Signals, and the state of the terminal that they find.
extension TerminalEditor {
  private static let whileEditing = [
    CLIBEDIT_RESIZE, CLIBEDIT_SUSPEND, CLIBEDIT_CONTINUE,
  ]

  /// Does something while the terminal is the editor's. Between two lines it keeps what is typed ahead, and
  /// after the last one it is as it was.
  func withTerminal(_ edit: () -> Void) {
    for signal in Self.whileEditing { _ = clibedit_catch(signal) }
    // A terminal that Control-S has stopped takes nothing, not even other settings.
    clibedit_resume_output(output)
    clibedit_set_raw(editor, true)
    screen.write(Escape.beginPastes)
    edit()
    leaveTerminal()
    if outcome == .end { clibedit_give_back() }
    for signal in Self.whileEditing { clibedit_release(signal) }
  }

  /// The mode changes first: a Return typed in the editor's mode would reach a command as CR, and end no line
  /// of it. Control-S stops the output only after the last bytes were written, or they would wait for ever.
  private func leaveTerminal() {
    clibedit_set_raw(editor, false)
    screen.write(Escape.endPastes)
    clibedit_let_output_stop(editor)
  }

  func enterTerminal() {
    // libedit believes that the terminal still is as it left it: the first call corrects that.
    clibedit_set_raw(editor, false)
    clibedit_set_raw(editor, true)
    screen.write(Escape.beginPastes)
  }

  /// Does something while another program may have the terminal.
  func outside<Result>(_ act: () -> Result) -> Result {
    leaveTerminal()
    clibedit_give_back()
    let result = act()
    Interrupt.take()
    screen.forget()
    enterTerminal()
    return result
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
