import KuraGraph
import KuraScript

extension Setting {
  static let undo = Setting(
    "undo", synopsis: ".undo levels [N]", summary: "how many statements can be taken back",
    details: """
      0, as at the start, keeps all of them. The oldest go first, and those that go stay done.
      """,
    arguments: 1...2
  ) { session, call in
    guard let word = call.argument, word.text.lowercased() == "levels" else {
      throw Failure(
        ShellFacts.wrongArguments(synopsis: ".undo levels [N]"), at: call.argument?.span)
    }
    guard let number = call.arguments.last, call.arguments.count == 2 else {
      let levels = session.state.context.history.levels
      return session.report(Report.setting("undo", "levels \(levels)"))
    }
    guard let levels = Int(number.text), levels >= 0 else {
      throw Failure(ShellFacts.badLevels(number.text), at: number.span)
    }
    session.state.context.history.levels = levels
    for i in session.state.scratches.indices {
      session.state.scratches[i].parent.history.levels = levels
    }
  }
}
