import CLibEdit

/// Keys, and events while no key is typed.
extension TerminalEditor {
  /// Returns the next scalar for libedit, or -1 if the line is finished.
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

  /// Performs a key of the editor itself, and queues others for libedit.
  private func take(_ key: Key) {
    notice = nil
    // A CR and LF that were pasted without marks are one line end.
    let isSecondOfEnd = wasReturn && key == .scalar("\n") && isPasted
    wasReturn = key == .scalar("\r")
    if isSecondOfEnd { return }
    let isBlankThere = hasBlankOfChoice
    hasBlankOfChoice = false
    if menuTakes(key) { return }
    // A user may type a space after each word, although the completion has added one.
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

  /// Whether libedit would only insert the scalar: no sequence of keys has begun.
  private var mayPassLibedit: Bool { isPlain && isPasted && !bindings.beginWithCharacters }

  /// Inserts waiting characters at once: a paste without marks.
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

  /// Whether more arrived at once than a user types.
  private var isPasted: Bool { input.burst >= 16 }

  /// Queues a known sequence; an unknown one inserts nothing.
  private func take(_ sequence: String, _ scalars: [Unicode.Scalar]) {
    if EditorCommand.sequences.contains(sequence) || bindings.keys.contains(sequence) {
      queue = scalars
    } else if scalars.count == 2, scalars[1] != "[", scalars[1] != "O" {
      queue = isVi ? [EditorCommand.escapeOfVi, scalars[1]] : scalars
    }
  }

  /// Returns the next key; nil if the line is finished, for the reason in `outcome`.
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

  /// Returns a key whose bytes have arrived.
  private func waitingKey() -> Key? {
    while let byte = input.next() {
      if let key = decoder.feed(byte) { return key }
    }
    return nil
  }

  /// Returns the next byte. Draws only before a wait, so that fast typing or a paste is drawn once.
  func nextByte(drawing draw: () -> Void) -> UInt8? {
    while outcome == nil {
      if let byte = input.next() { return byte }
      // A paste comes in pieces, and is drawn once.
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

  /// Returns the line that came after the current one; empty if there is none.
  func waitingLine() -> String {
    if input.waiting.isEmpty, isPasted, clibedit_has_input(file, 15) { fill() }
    let line = input.waiting.drop { $0 == 10 }.prefix { $0 != 13 && $0 != 10 }
    return String(decoding: line, as: UTF8.self)
  }

  /// Reads available bytes. If another program changed the terminal's mode, or a signal came first,
  /// a read gives nothing; neither ends the line.
  private func fill() {
    switch input.fill() {
    case .some: emptyReadings = 0
    case .interrupted: break
    case .end, .failed:
      emptyReadings += 1
      if clibedit_is_hung_up(file) || emptyReadings > 100 { finish(.end) } else { enterTerminal() }
    }
  }

  /// Ends the reading; the text stays on the screen as it was typed.
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

  /// Returns the colors; without a bracket at the cursor for a finished text.
  private func highlight(of text: EditText, isWhole: Bool) -> [StyledSpan] {
    isAnswer ? [] : hooks.highlight(text.text, isWhole ? -1 : text.bytes(before: text.cursor))
  }
}

extension Key {
  /// Whether it is a character that is inserted as it is.
  fileprivate var isPlain: Bool {
    guard case .scalar(let scalar) = self else { return false }
    return scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
  }
}

/// Signals, and the terminal's state that they change.
extension TerminalEditor {
  private static let whileEditing = [
    CLIBEDIT_RESIZE, CLIBEDIT_SUSPEND, CLIBEDIT_CONTINUE,
  ]

  /// Runs `edit` with the terminal in the editor's mode. Between two lines the terminal keeps
  /// typed-ahead text; after the last line its mode is restored.
  func withTerminal(_ edit: () -> Void) {
    for signal in Self.whileEditing { _ = clibedit_catch(signal) }
    // A terminal that Control-S has stopped accepts nothing, not even other settings.
    clibedit_resume_output(output)
    clibedit_set_raw(editor, true)
    screen.write(Escape.beginPastes)
    edit()
    leaveTerminal()
    if outcome == .end { clibedit_give_back() }
    for signal in Self.whileEditing { clibedit_release(signal) }
  }

  /// Leaves the editor's mode. The mode changes first: otherwise a command would get a typed Return
  /// as CR, which ends no line. Control-S may stop the output only after the last bytes, or they
  /// would wait forever.
  private func leaveTerminal() {
    clibedit_set_raw(editor, false)
    screen.write(Escape.endPastes)
    clibedit_let_output_stop(editor)
  }

  func enterTerminal() {
    // libedit assumes that the terminal is as it left it: the first call corrects that.
    clibedit_set_raw(editor, false)
    clibedit_set_raw(editor, true)
    screen.write(Escape.beginPastes)
  }

  /// Runs `act` while another program may have the terminal.
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
    // The signals remain set for later readers, because the program is to end.
    if Ending.isAsked { finish(.end, with: "\r\n") }
    _ = clibedit_take(CLIBEDIT_QUIT)
    // The next frame asks for the size of the window anyway.
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
