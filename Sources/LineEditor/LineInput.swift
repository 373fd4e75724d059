import CLibEdit

/// Opens the reader that fits the input.
package enum LineInput {
  /// The kinds of input.
  package enum Kind: Sendable, Equatable {
    /// A terminal that can move its cursor.
    case editor
    /// A terminal that cannot move its cursor because of `TERM=dumb`, or whose output is
    /// redirected.
    case plainTerminal
    /// A file or a pipe.
    case stream
  }

  /// Returns the kind of an input.
  package static func kind(input: Int32 = 0, output: Int32 = 1) -> Kind {
    guard System.isTerminal(input) else { return .stream }
    return System.isTerminal(output) && canMoveCursor(System.environment("TERM"))
      ? .editor : .plainTerminal
  }

  /// Returns the cells of a terminal's line; nil for anything else.
  package static func width(of file: Int32) -> Int? { System.width(of: file) }

  /// A faster function for repeated calls: a file that is not a terminal never becomes one.
  package static var widths: (_ file: Int32) -> Int? {
    let terminals = [1, 2].filter(System.isTerminal)
    return { terminals.contains($0) ? System.width(of: $0) : nil }
  }

  /// Returns the lines of a terminal's window; nil for anything else.
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

  /// Opens the reader that fits: libedit is only used on a terminal.
  ///
  /// Prompts go to the output if it is a terminal, otherwise to `prompts`.
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

  /// Makes the text of the terminal UTF-8 in every locale, including `LC_ALL=C`.
  ///
  /// Call this once at the start, before creating threads. Returns false if the system does not
  /// have such a locale.
  @discardableResult
  package static func useUTF8() -> Bool { clibedit_use_utf8_locale() }
}

/// Control-C, while a terminal's reader exists: it stops the current statement and never the
/// program.
package enum Interrupt {
  /// Returns whether Control-C was pressed, and clears that.
  @discardableResult
  package static func take() -> Bool { clibedit_take(CLIBEDIT_INTERRUPT) }

  /// Whether Control-C was pressed since `take`.
  package static var isPending: Bool { clibedit_is_pending(CLIBEDIT_INTERRUPT) }

  /// Sets a function that is called at each Control-C, in the signal handler. It may only raise a
  /// flag.
  package static func whenPressed(_ action: @convention(c) () -> Void) {
    clibedit_on_interrupt(action)
  }

  /// Control-\ is also caught; it only stops the running statement.
  private static let signals = [CLIBEDIT_INTERRUPT, CLIBEDIT_QUIT] + Ending.signals

  static func catchUntilReleased() { for signal in signals { _ = clibedit_catch(signal) } }
  static func release() { for signal in signals { clibedit_release(signal) } }
}

/// SIGTERM and SIGHUP, while a terminal's reader exists: reading ends, and then the program; a
/// second SIGTERM ends it at once.
package enum Ending {
  static let signals = [CLIBEDIT_TERMINATE, CLIBEDIT_HANG_UP]

  /// Whether a signal requested the end.
  package static var isAsked: Bool { signals.contains(where: clibedit_is_pending) }

  /// If a signal arrived, ends the process as the signal's default action would.
  package static func follow() {
    for signal in signals where clibedit_take(signal) { clibedit_perform_default(signal) }
  }
}

/// The message if a bug of the program ends it.
package enum Crash {
  /// Sets the message for a crash, and the one for a lack of memory; a forked copy of the process
  /// calls `rescue`.
  package static func explain(
    _ message: StaticString, withoutMemory: StaticString,
    rescue: @escaping @convention(c) () -> Void
  ) {
    clibedit_explain_crashes(characters(of: message), characters(of: withoutMemory), rescue)
  }

  /// Returns the characters of a literal, which are part of the program itself.
  private static func characters(of text: StaticString) -> UnsafePointer<CChar>? {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
