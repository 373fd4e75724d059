import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraScript

extension Setting {
  static let validate = Setting(
    name: "validate", synopsis: ".validate [on|off]",
    summary: "lists what breaks the rules of the model",
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
      let failures = session.context.allValidationFailures(in: session.evaluation)
      try session.surroundings.cancel.check()
      try session.check(failures, isSave: false)
      session.report(Report.valid)
    case "on": session.settings.isValidating = true
    case "off": session.settings.isValidating = false
    case let word?: throw Failure(SettingFacts.notOnOrOff(word), at: call.argument?.span)
    }
  }

  static let undo = Setting(
    name: "undo", synopsis: ".undo levels [N]", summary: "how many statements can be taken back",
    details: """
      0, as at the start, keeps all of them. The oldest go first, and those that go stay done.
      """,
    arguments: 1...2
  ) { session, call in
    guard let word = call.argument, word.text.lowercased() == "levels" else {
      throw Failure(
        SettingFacts.wrongArguments(synopsis: ".undo levels [N]"), at: call.argument?.span)
    }
    guard let number = call.arguments.last, call.arguments.count == 2 else {
      let levels = session.context.history.levels
      return session.report(Report.setting("undo", "levels \(levels)"))
    }
    guard let levels = Int(number.text), levels >= 0 else {
      throw Failure(BadLevels(word: number.text), at: number.span)
    }
    session.context.history.levels = levels
    for i in session.scratches.indices {
      session.scratches[i].parent.history.levels = levels
    }
  }
}

/// `.undo levels x`
private struct BadLevels: DiagnosticFacts {
  let word: String

  var sentence: String { "expected a number of steps, found \"\(word)\"" }
  var help: String? { "0 keeps all of them" }
}

/// A statement that breaks the model, under `.validate on`
struct RefusedByRules: DiagnosticFacts {
  var sentence: String { "nothing was changed, for this breaks rules of the model" }
  var help: String? { ".validate off leaves the rules to save" }
}

extension Report {
  static let valid = "all objects keep the rules"
}
