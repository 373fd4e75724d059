import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraStore
import KuraValues

extension Setting {
  static let open = Setting(
    "open", synopsis: ".open FILE", summary: "opens another store, or plain JSON",
    details: """
      Variables stay, but for those that hold objects of the store before. Unsaved changes are
      asked about on a terminal; in a script they are an error.
      """,
    arguments: 1...1, effect: .changes
  ) { session, call in
    guard let file = call.argument else { return }
    try session.checkSafe(.opening, at: file.span)
    try session.checkNoScratch(".open")
    if session.state.context.hasChanges {
      guard session.surroundings.ask != nil else {
        throw Failure(ShellFacts.openOverChanges, at: call.name.span)
      }
      guard session.isAgreed(Question.openWithoutSaving) == true else { return }
    }
    try session.open(.file(file.text))
  }
}

extension Session {
  /// Puts another store in the place of the one that is open.
  mutating func open(_ source: StoreSource) throws {
    let kept = try surroundings.openStore(source, state.keeping, surroundings.progress)
    let opened = kept.store
    closeStore()
    for note in kept.notes { report(note) }
    state.context = ManagedObjectContext(opened.graph)
    state.trace.removeAll()
    state.store = OpenStore(opened, from: source)
    state.store.isReadOnly = state.opensReadOnly
    keep(kept.keeper)
    if kept.lacksSaves { state.lacksSaves = true }
    state.variables = state.variables.filter { !$0.value.holdsObjects }
    if !opened.leftOut.isEmpty { report(Report.leftOut(opened.leftOut)) }
  }
}
