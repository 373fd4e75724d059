import CLibEdit

/// Signals, and the state of the terminal that they find.
extension TerminalEditor {
  private static let whileEditing = [
    CLIBEDIT_RESIZE, CLIBEDIT_SUSPEND, CLIBEDIT_CONTINUE, CLIBEDIT_TERMINATE, CLIBEDIT_HANG_UP,
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
    if clibedit_take(CLIBEDIT_TERMINATE) { die(of: CLIBEDIT_TERMINATE) }
    if clibedit_take(CLIBEDIT_HANG_UP) { die(of: CLIBEDIT_HANG_UP) }
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

  private func die(of signal: clibedit_signal) {
    screen.write("\r\n")
    leaveTerminal()
    clibedit_perform_default(signal)
    finish(.end)
  }
}
