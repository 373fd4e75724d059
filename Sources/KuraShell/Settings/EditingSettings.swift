import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

extension Setting {
  static let validate = Setting(
    name: "validate", synopsis: ".validate [on|off|ENTITY|OBJECT|FETCH]",
    summary: "lists what breaks the rules of the model",
    details: """
      Alone it asks all objects, those that were not changed too: a save asks only those that were,
      and .open none, so that a store with mistakes in it can be opened and mended.
      .validate Item/3, .validate Item and .validate Item where done == NO ask these objects.
      .validate on refuses each statement after which an object that it concerns breaks a rule;
      .validate off leaves the rules to save.
      """,
    arguments: nil
  ) { session, call in
    switch call.arguments.count == 1 ? call.word.text.lowercased() : nil {
    case "on": session.settings.isValidating = true
    case "off": session.settings.isValidating = false
    default: try session.validate(call)
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

extension Session {
  /// Lists the rule violations of the objects that are named, or of all objects.
  fileprivate func validate(_ call: SettingCall) throws {
    guard let first = call.arguments.first, let last = call.arguments.last else {
      try check(of: nil)
      return report(Report.valid)
    }
    try checkValidated(first, isAlone: call.arguments.count == 1)
    let fetch = try FetchTree.objects(named: first.span.joined(last.span), in: call.source)
    let objects = try read(call.source) { snapshot, environment in
      let found = try fetch.bound(to: snapshot, environment).run()
      return (0..<found.count).compactMap { found.object($0).objectID }
    }
    try check(of: objects)
    report(Report.valid(objects.count))
  }

  /// Throws unless a single word is `on`, `off` or an entity.
  private func checkValidated(_ word: Name, isAlone: Bool) throws(Failure) {
    let entities = context.graph.model.entities.map(\.name)
    guard isAlone, !entities.contains(word.text), word.text != "_",
      word.text.allSatisfy({ $0.isLetter })
    else { return }
    throw Failure(
      NothingToValidate(word: word.text, known: ["on", "off"] + entities), at: word.span)
  }

  private func check(of objects: [ObjectID]?) throws {
    let failures = context.allValidationFailures(of: objects, in: evaluation)
    try surroundings.cancel.check()
    try check(failures, isSave: false)
  }
}

/// `.validate maybe`
private struct NothingToValidate: DiagnosticFacts {
  let word: String
  let known: [String]

  var sentence: String { localized("expected on, off or objects, found \"\(word)\"") }
  var help: String? {
    didYouMean(nearNames(to: word, among: known))
      ?? localized("as in .validate Item, .validate Item/3, .validate Item where done == NO")
  }
}

/// `.undo levels x`
private struct BadLevels: DiagnosticFacts {
  let word: String

  var sentence: String { localized("expected a number of steps, found \"\(word)\"") }
  var help: String? { localized("0 keeps all of them") }
}

/// A change that breaks the model, under `.validate on`
struct RefusedByRules: DiagnosticFacts {
  var sentence: String { localized("nothing was changed, for this breaks rules of the model") }
  var help: String? { localized(".validate off leaves the rules to save") }
}

extension Report {
  static var valid: String { localized("all objects keep the rules") }

  static func valid(_ count: Int) -> String {
    switch count {
    case 0: localized("there are no such objects")
    case 1: localized("the object keeps the rules")
    default: localized("the \(count) objects keep the rules")
    }
  }
}
