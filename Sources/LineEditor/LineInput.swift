import CLibEdit

/// The choice of a reader.
package enum LineInput {
  /// What can be made of an input.
  package enum Kind: Sendable, Equatable {
    /// A terminal that can move its cursor.
    case editor
    /// A terminal that cannot, as `TERM=dumb` says, or whose output goes elsewhere.
    case plainTerminal
    /// A file or a pipe.
    case stream
  }

  /// What the input is.
  package static func kind(input: Int32 = 0, output: Int32 = 1) -> Kind {
    guard System.isTerminal(input) else { return .stream }
    return System.isTerminal(output) && canMoveCursor(System.environment("TERM"))
      ? .editor : .plainTerminal
  }

  /// The cells of a terminal's line; nil for what is no terminal.
  package static func width(of file: Int32) -> Int? { System.width(of: file) }

  /// The same for whoever asks often: what is no terminal never becomes one.
  package static var widths: (_ file: Int32) -> Int? {
    let terminals = [1, 2].filter(System.isTerminal)
    return { terminals.contains($0) ? System.width(of: $0) : nil }
  }

  /// The lines of a terminal's window; nil for what is no terminal.
  package static func height(of file: Int32) -> Int? {
    var (columns, rows): (Int32, Int32) = (0, 0)
    guard System.isTerminal(file), clibedit_window_size(file, &columns, &rows) else { return nil }
    return Int(rows)
  }

  static func canMoveCursor(_ terminal: String?) -> Bool {
    switch terminal {
    case nil, "", "dumb", "unknown": false
    default: true
    }
  }

  /// Opens the reader that fits: libedit is never used off a terminal.
  ///
  /// Prompts go to the output if it is a terminal, and to `prompts` if not.
  package static func open(
    input: Int32 = 0, output: Int32 = 1, prompts: Int32 = 2, history: HistoryFile? = nil,
    hooks: EditorHooks = EditorHooks()
  ) -> any LineReading {
    let kind = kind(input: input, output: output)
    if kind == .editor,
      let editor = TerminalEditor(input: input, output: output, history: history, hooks: hooks)
    {
      return editor
    }
    guard kind != .stream else { return StreamReader(input) }
    return PlainTerminal(
      input: input, output: System.isTerminal(output) ? output : prompts, hooks: hooks)
  }

  /// Makes the text of the terminal UTF-8 in every locale, `LC_ALL=C` too.
  ///
  /// To be called once at the start, before threads. False if the system has no such locale.
  @discardableResult
  package static func useUTF8() -> Bool { clibedit_use_utf8_locale() }
}

/// Control-C, while a terminal's reader exists: it stops what runs and never the program.
package enum Interrupt {
  /// Takes it: true once for each time that it came.
  @discardableResult
  package static func take() -> Bool { clibedit_take(CLIBEDIT_INTERRUPT) }

  /// Calls a function at each Control-C, in the signal's handler: it may raise a flag, no more.
  package static func whenPressed(_ action: @convention(c) () -> Void) {
    clibedit_on_interrupt(action)
  }

  /// Control-\ is caught with it, which stops what runs and does nothing else.
  private static let signals = [CLIBEDIT_INTERRUPT, CLIBEDIT_QUIT] + Ending.signals

  static func catchUntilReleased() { for signal in signals { _ = clibedit_catch(signal) } }
  static func release() { for signal in signals { clibedit_release(signal) } }
}

/// SIGTERM and SIGHUP, while a terminal's reader exists: reading ends, and the program in its own
/// time; a second SIGTERM ends it at once.
package enum Ending {
  static let signals = [CLIBEDIT_TERMINATE, CLIBEDIT_HANG_UP]

  /// Whether a signal asked for the end.
  package static var isAsked: Bool { signals.contains(where: clibedit_is_pending) }

  /// Ends the process as the signal does that nobody catches, if one came.
  package static func follow() {
    for signal in signals where clibedit_take(signal) { clibedit_perform_default(signal) }
  }
}

/// What is said where the program ends by a fault of its own.
package enum Crash {
  /// Says a text then, or another where there is no more memory to be had, and lets a copy of the
  /// process rescue what it can.
  package static func explain(
    _ message: StaticString, withoutMemory: StaticString,
    rescue: @escaping @convention(c) () -> Void
  ) {
    clibedit_explain_crashes(characters(of: message), characters(of: withoutMemory), rescue)
  }

  /// They stand in the program itself.
  private static func characters(of text: StaticString) -> UnsafePointer<CChar>? {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
