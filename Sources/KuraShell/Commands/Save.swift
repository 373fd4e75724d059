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
    try checkNoScratch("save")
    guard !state.store.isReadOnly else { throw Failure(ShellFacts.readOnly, at: span) }
    let target = try target(file, replaces: replaces)
    if file == nil, !state.context.hasChanges { return report(Report.nothingToSave) }
    try check(state.context.validationFailures(in: evaluation))
    do throws(StoreProblems) {
      state.store.stamp = try surroundings.writeStore(contents, target)
    } catch {
      throw Failure.writing(error, over: .savesOver(path: target.path), at: span)
    }
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
      case .memory, .plain: store.timeZoneID ?? state.chosenZone?.identifier
      }
    return OpenedStore(
      graph: state.context.graph, isStore: true, timeZoneID: zone, userInfo: store.userInfo)
  }

  /// Refuses a model that does not hold together, and objects that break its rules, all at once.
  func check(_ found: [ValidationFailure]) throws(Failure) {
    let problems = ModelCheck(state.context.graph.model).problems.map(\.asDiagnostic)
    guard problems.isEmpty else { throw Failure(problems) }
    let failures = found.map { Diagnostic(ChangeFacts.invalid($0)) }
    guard failures.isEmpty else { throw notSaved(failures) }
  }

  /// All that is wrong, and behind it the way on.
  private func notSaved(_ problems: [Diagnostic]) -> Failure {
    Failure(problems + [Diagnostic(ShellFacts.notSaved, severity: .note)])
  }
}

extension ModelProblem {
  /// What is wrong with the model as a whole, which no statement's text shows.
  fileprivate var asDiagnostic: Diagnostic {
    switch (place, facts) {
    case (.relationshipRule(let key, let entity, _), .unknownDestination(let destination, _)):
      Diagnostic(
        ChangeFacts.unresolvedDestination(entity: entity, key: key, destination: destination))
    default: Diagnostic(ShellFacts.inModel(place.name, facts))
    }
  }
}

extension ModelPlace {
  /// `Item.title`
  fileprivate var name: String {
    switch self {
    case .entity(let entity), .entityRule(let entity, _): entity
    case .attribute(let key, let entity), .attributeRule(let key, let entity, _),
      .relationship(let key, let entity), .relationshipRule(let key, let entity, _):
      "\(entity).\(key)"
    case .request(let name): name
    }
  }
}
