import CLibEdit

/// Control-C, while a terminal's reader exists: it stops what runs and never the program.
package enum Interrupt {
  /// Whether Control-C was pressed and nobody took it; cheap enough for a loop.
  package static var isPending: Bool { clibedit_is_pending(CLIBEDIT_INTERRUPT) }

  /// Takes it: true once for each time that it came.
  @discardableResult
  package static func take() -> Bool { clibedit_take(CLIBEDIT_INTERRUPT) }

  /// Calls a function at each Control-C, in the signal's handler: it may raise a flag, no more.
  package static func whenPressed(_ action: @convention(c) () -> Void) {
    clibedit_on_interrupt(action)
  }

  static func catchUntilReleased() { _ = clibedit_catch(CLIBEDIT_INTERRUPT) }
  static func release() { clibedit_release(CLIBEDIT_INTERRUPT) }
}
