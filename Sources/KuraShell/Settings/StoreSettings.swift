import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences
import KuraStore

extension Setting {
  static let open = Setting(
    name: "open", synopsis: ".open FILE", summary: "opens another store, or plain JSON",
    details: """
      Variables keep their values, except those that hold objects of the previous store. If there are
      unsaved changes, Kura asks at a terminal; in a script they are an error.
      """,
    arguments: 1...1, effect: .changes, accessesOutside: true
  ) { session, call in
    let file = call.word
    try session.checkSafe(.opening, at: file.span)
    try session.checkNoScratch(".open")
    if session.hasUnsaved {
      guard session.services.ask != nil else {
        throw Failure(StoreSettingProblem.openOverChanges, at: call.name.span)
      }
      guard session.isAgreed(Question.openWithoutSaving) == true else { return }
    }
    try session.open(.file(file.text))
    // The last result would keep the previous store in memory.
    session.lastResult = nil
  }

  static let refresh = Setting(
    name: "refresh", synopsis: ".refresh", summary: "merges what other programs have saved",
    details: """
      The unsaved changes of this session stay, on top of the merged ones. If both changed the same
      key of the same object, .merge settles the conflict.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    try session.refresh()
  }

  static let fold = Setting(
    name: "fold", synopsis: ".fold", summary: "writes the journal into the document",
    details: """
      A save appends to STORE.journal. Kura folds the journal automatically when it has grown large,
      and at the end of a session if the document is small.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    try session.fold()
  }

  static let merge = Setting(
    name: "merge", synopsis: ".merge [error|store|memory]",
    summary: "how to settle conflicts with changes of other programs",
    details: """
      error    nothing is saved, and every conflict is listed (the default)
      store    the values that the other programs saved stay
      memory   the values of this session replace them
      """,
    arguments: 0...1, value: \.settings.mergePolicy.rawValue
  ) { session, call in
    guard let policy = MergePolicy(rawValue: call.word.text.lowercased()) else {
      throw Failure(StoreSettingProblem.unknownPolicy(call.word.text), at: call.word.span)
    }
    session.settings.mergePolicy = policy
  }
}

extension Session {
  /// Opens another store instead of the current one.
  func open(_ source: StoreSource) throws {
    let result = try services.openStore(source, keeping, services.progress)
    let contents = result.store
    closeStore()
    learning.quiz = nil
    for note in result.notes { report(note) }
    context.open(contents.graph)
    trace.removeAll()
    store = CurrentStore(contents, from: source)
    store.isReadOnly = launch.isReadOnly
    keep(result.keeper)
    store.cache = result.cache
    if services.ask != nil { store.cache?.readAhead() }
    if result.lacksSaves { ending.lacksSaves = true }
    variables.forgetObjects()
  }
}

/// The reasons why another store is not opened, or a policy not set.
enum StoreSettingProblem: DiagnosticFacts {
  /// `.open other.json` in a script
  case openOverChanges
  /// `.merge mine`
  case unknownPolicy(String)

  var sentence: String {
    switch self {
    case .openOverChanges: localized("the open store has unsaved changes")
    case .unknownPolicy(let word): localized("expected error, store or memory, found \"\(word)\"")
    }
  }

  var help: String? {
    switch self {
    case .openOverChanges: localized("write save or rollback before .open")
    case .unknownPolicy: localized("write .merge error, .merge store or .merge memory")
    }
  }
}

extension Question {
  static var openWithoutSaving: String {
    localized("There are unsaved changes. Open the other store without saving? [y/N]: ")
  }
}
