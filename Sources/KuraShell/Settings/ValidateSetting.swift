import KuraBytes
import KuraGraph
import KuraScript

extension Setting {
  static let validate = Setting(
    "validate", synopsis: ".validate [on|off]", summary: "lists what breaks the rules of the model",
    details: """
      Alone it asks all objects, those that were not changed too: a save asks only those that were,
      and .open none, so that a store with mistakes in it can be opened and mended.
      .validate on refuses each statement after which an object that it concerns breaks a rule;
      .validate off leaves the rules to save.
      """,
    arguments: 0...1
  ) { session, call in
    switch call.argument?.text.lowercased() {
    case nil:
      let failures = session.state.context.allValidationFailures(in: session.evaluation)
      try session.surroundings.cancel.check()
      try session.check(failures, isSave: false)
      session.report(Report.valid)
    case "on": session.state.isValidating = true
    case "off": session.state.isValidating = false
    case let word?: throw Failure(ShellFacts.notOnOrOff(word), at: call.argument?.span)
    }
  }
}
