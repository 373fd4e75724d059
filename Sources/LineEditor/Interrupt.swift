import CLibEdit

/// Control-C, while a terminal's reader exists: it stops what runs and never the program.
package enum Interrupt {
  /// Whether Control-C was pressed and nobody took it; cheap enough for a loop.
  package static var isPending: Bool { clibedit_is_pending(CLIBEDIT_INTERRUPT) }

  /// Takes it: true once for each time that it came.
  @discardableResult
  package static func take() -> Bool { clibedit_take(CLIBEDIT_INTERRUPT) }

  static func catchUntilReleased() { _ = clibedit_catch(CLIBEDIT_INTERRUPT) }
  static func release() { clibedit_release(CLIBEDIT_INTERRUPT) }
}
