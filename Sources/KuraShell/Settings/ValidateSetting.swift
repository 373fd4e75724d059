import KuraGraph

extension Setting {
  static let validate = Setting(
    "validate", synopsis: ".validate", summary: "lists what breaks the rules of the model",
    details: """
      All objects are asked, those that were not changed too: a save asks only those that were, and
      .open none, so that a store with mistakes in it can be opened and mended.
      """,
    arguments: 0...0
  ) { session, _ in
    let context = session.state.context
    try session.check(
      context.allValidationFailures(in: session.evaluation))
    session.report(Report.valid)
  }
}
