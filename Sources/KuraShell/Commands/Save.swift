import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraStore
import KuraValues

extension Session {
  /// `save`, `save "FILE" replacing`; with a file, the session goes on there.
  mutating func save(to file: Name?, replaces: Bool) throws {
    let span = file?.span
    guard !state.store.isReadOnly else { throw Failure(ShellFacts.readOnly, at: span) }
    let target = try target(file, replaces: replaces)
    if file == nil, !state.context.hasChanges { return report(Report.nothingToSave) }
    try check()
    state.store.stamp = try surroundings.writeStore(contents, target)
    state.context.didSave()
    state.store.home = .file(target.path)
    state.store.timeZoneID = contents.timeZoneID
    report(Report.saved(target.path))
  }

  private func target(_ file: Name?, replaces: Bool) throws(Failure) -> StoreTarget {
    if let file { return StoreTarget(path: file.text, replaces: replaces) }
    switch state.store.home {
    case .file(let path):
      return StoreTarget(path: path, replaces: true, expected: state.store.stamp)
    case .plain: throw Failure(ShellFacts.savedAsPlainJSON)
    case .memory: throw Failure(ShellFacts.savedNowhere)
    }
  }

  /// A new store takes the zone that was chosen for the session, and else is in UTC.
  private var contents: OpenedStore {
    let store = state.store
    let zone: String? =
      switch store.home {
      case .file: store.timeZoneID
      case .memory, .plain: state.chosenZone?.identifier
      }
    return OpenedStore(
      graph: state.context.graph, isStore: true, timeZoneID: zone, userInfo: store.userInfo)
  }

  /// Everything that keeps the store from being saved, all at once.
  private func check() throws(Failure) {
    let problems = ModelCheck(state.context.graph.model).problems.map { Diagnostic($0.facts) }
    guard problems.isEmpty else { throw Failure(problems) }
    let failures = state.context.validationFailures(in: state.zone, now: surroundings.now())
      .map { Diagnostic(ChangeFacts.invalid($0)) }
    guard failures.isEmpty else { throw notSaved(failures) }
  }

  /// All that is wrong, and behind it the way on.
  private func notSaved(_ problems: [Diagnostic]) -> Failure {
    Failure(problems + [Diagnostic(ShellFacts.notSaved, severity: .note)])
  }
}
