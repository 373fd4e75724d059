import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences
import KuraStore

extension Setting {
  static let open = Setting(
    name: "open", synopsis: ".open FILE", summary: "opens another store, or plain JSON",
    details: """
      Variables stay, but for those that hold objects of the store before. Unsaved changes are
      asked about on a terminal; in a script they are an error.
      """,
    arguments: 1...1, effect: .changes, reachesOut: true
  ) { session, call in
    let file = call.word
    try session.checkSafe(.opening, at: file.span)
    try session.checkNoScratch(".open")
    if session.hasUnsaved {
      guard session.surroundings.ask != nil else {
        throw Failure(StoreSettingFacts.openOverChanges, at: call.name.span)
      }
      guard session.isAgreed(Question.openWithoutSaving) == true else { return }
    }
    try session.open(.file(file.text))
    // The last result would keep the previous store in memory.
    session.lastResult = nil
  }

  static let refresh = Setting(
    name: "refresh", synopsis: ".refresh", summary: "reads what others have saved since",
    details: """
      What is changed here and not saved stays, on top of it; where both changed the same key of
      the same object, .merge says what becomes of it.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    try session.refresh()
  }

  static let fold = Setting(
    name: "fold", synopsis: ".fold", summary: "writes the journal into the document",
    details: """
      A save appends to STORE.journal. The journal is folded by itself when it has grown large, and
      at the end where the document is small.
      """,
    arguments: 0...0, effect: .changes
  ) { session, _ in
    try session.fold()
  }

  static let merge = Setting(
    name: "merge", synopsis: ".merge [error|store|memory]",
    summary: "says what becomes of changes that meet those of others",
    details: """
      error    nothing is saved, and every conflict is listed (as long as nothing else is said)
      store    what others have saved stays
      memory   what is changed here takes its place
      """,
    arguments: 0...1, value: \.settings.mergePolicy.rawValue
  ) { session, call in
    guard let policy = MergePolicy(rawValue: call.word.text.lowercased()) else {
      throw Failure(StoreSettingFacts.unknownPolicy(call.word.text), at: call.word.span)
    }
    session.settings.mergePolicy = policy
  }
}

extension Session {
  /// Opens another store instead of the present one.
  func open(_ source: StoreSource) throws {
    let kept = try surroundings.openStore(source, keeping, surroundings.progress)
    let opened = kept.store
    closeStore()
    quiz = nil
    for note in kept.notes { report(note) }
    context.open(opened.graph)
    trace.removeAll()
    store = CurrentStore(opened, from: source)
    store.isReadOnly = launch.isReadOnly
    keep(kept.keeper)
    store.cache = kept.cache
    if surroundings.ask != nil { store.cache?.readAhead() }
    if kept.lacksSaves { lacksSaves = true }
    variables.forgetObjects()
    if !opened.leftOut.isEmpty { report(Report.leftOut(opened.leftOut)) }
  }
}

/// The reasons why another store is not opened, or a policy not set.
enum StoreSettingFacts: DiagnosticFacts {
  /// `.open other.json` in a script
  case openOverChanges
  /// `.merge mine`
  case unknownPolicy(String)

  var sentence: String {
    switch self {
    case .openOverChanges: localized("the open store has unsaved changes")
    case .unknownPolicy(let word): localized("\"\(word)\" is none of error, store and memory")
    }
  }

  var help: String? {
    switch self {
    case .openOverChanges: localized("write save before .open, or rollback")
    case .unknownPolicy: localized("write .merge error, .merge store or .merge memory")
    }
  }
}

extension Question {
  static var openWithoutSaving: String {
    localized("There are unsaved changes. Open without them? [y/N]: ")
  }
}

extension Report {
  static func leftOut(_ keys: [String]) -> String {
    localized("left out, for they hold no lists of objects: \(keys.joined(separator: ", "))")
  }
}
