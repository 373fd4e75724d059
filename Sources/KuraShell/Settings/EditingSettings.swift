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
    summary: "lists the objects that break rules of the model",
    details: """
      Without an argument, .validate checks all objects. A save checks only changed objects, and .open
      checks none, so that you can open a store with invalid objects and correct them.
      .validate Item/3, .validate Item and .validate Item where done == NO check only these objects.
      .validate on refuses a statement if an object that it affects would break a rule;
      with .validate off, only save checks the rules.
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
    name: "undo", synopsis: ".undo levels [N]", summary: "how many statements you can undo",
    details: """
      0, the default, keeps all of them. Beyond the limit, Kura forgets the oldest steps; their changes
      remain.
      """,
    arguments: 1...2
  ) { session, call in
    guard let word = call.argument, word.text.lowercased() == "levels" else {
      throw Failure(
        SettingProblem.wrongArguments(synopsis: ".undo levels [N]"), at: call.argument?.span)
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
    try checkValidated(call.arguments)
    let fetch = try FetchTree.objects(named: first.span.joined(last.span), in: call.source)
    let objects = try read(call.source) { snapshot, environment in
      let found = try fetch.bound(to: snapshot, environment).run()
      return (0..<found.count).compactMap { found.object($0).objectID }
    }
    try check(of: objects)
    report(Report.valid(objects.count))
  }

  /// Throws for a single word that is not an entity, and for `on` or `off` with more words.
  private func checkValidated(_ words: [Name]) throws(Failure) {
    let entities = context.graph.model.entities.map(\.name)
    let (word, switches) = (words[0], ["on", "off"])
    guard words.count == 1 || switches.contains(word.text.lowercased()),
      !entities.contains(word.text), word.text != "_", word.text.allSatisfy({ $0.isLetter })
    else { return }
    throw Failure(
      NothingToValidate(
        word: words.map(\.text).joined(separator: " "), known: switches + entities),
      at: word.span.joined(words[words.count - 1].span))
  }

  private func check(of objects: [ObjectID]?) throws {
    let failures = context.allValidationFailures(of: objects, in: evaluation)
    try services.cancel.check()
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
  var help: String? { localized("0 keeps all steps") }
}

/// A change that breaks the model, under `.validate on`
struct RefusedByRules: DiagnosticFacts {
  var sentence: String { localized("nothing was changed: this breaks rules of the model") }
  var help: String? { localized("with .validate off, only save checks the rules") }
}

extension Report {
  static var valid: String { localized("all objects are valid") }

  static func valid(_ count: Int) -> String {
    switch count {
    case 0: localized("no objects match")
    case 1: localized("the object is valid")
    default: localized("the \(count) objects are valid")
    }
  }
}
