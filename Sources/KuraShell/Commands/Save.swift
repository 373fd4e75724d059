import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraStore
import KuraValues

extension Session {
  /// `save`, `save "FILE" replacing`; with another file, the session goes on there. The open store's
  /// own name is a plain save, unless it is to be replaced.
  mutating func save(to file: Name?, replaces: Bool) throws {
    try checkNoScratch("save")
    guard file?.text.isEmpty != true else { throw Failure(ShellFacts.noFileName, at: file?.span) }
    let isAnother = file.map { $0.text != state.store.path } ?? false
    guard !state.store.isReadOnly || isAnother else {
      throw Failure(ShellFacts.readOnly, at: file?.span)
    }
    if let file, isAnother || replaces { return try save(as: file, replaces: replaces) }
    guard case .file(let path) = state.store.home else {
      if case .plain = state.store.home { throw Failure(ShellFacts.savedAsPlainJSON) }
      throw Failure(ShellFacts.savedNowhere)
    }
    guard state.context.hasChanges else { return try saveNothing() }
    try prepareToSave()
    if state.isDryRun { return try showDryRun(path) }
    guard let keeper = state.store.keeper else {
      return try make(StoreTarget(path: path, replaces: true), at: nil)
    }
    try save(by: keeper)
  }

  /// Nothing was changed here; still what was saved may have been taken away by somebody.
  private func saveNothing() throws {
    let isWriting = !state.isDryRun
    guard isWriting, let warning = try state.store.keeper?.restoreJournal(contents) else {
      return report(Report.nothingToSave)
    }
    report(warning)
  }

  /// A whole new file, or one in the place of another.
  private mutating func save(as file: Name, replaces: Bool) throws {
    if file.text != state.store.path { try checkSafe(.saving, at: file.span) }
    try prepareToSave()
    if state.isDryRun { return try showDryRun(file.text) }
    if file.text == state.store.path, let keeper = state.store.keeper, try keeper.remake(contents) {
      return didSave(file.text, tookInOthers: false)
    }
    try make(StoreTarget(path: file.text, replaces: replaces), at: file.span)
  }

  private mutating func make(_ target: StoreTarget, at span: SourceSpan?) throws {
    let contents = contents
    let keeper: StoreKeeper?
    do throws(StoreProblems) {
      keeper = try surroundings.makeStore(
        contents, target, state.keeping, surroundings.lockWaiting)
    } catch {
      throw Failure.writing(error, over: .savesOver(path: target.path), at: span)
    }
    state.store.home = .file(target.path)
    state.store.timeZoneID = contents.timeZoneID
    state.store.isReadOnly = false
    keep(keeper)
    didSave(target.path, tookInOthers: false)
  }

  /// What rules derive from the moment of the save is computed; then everything is asked.
  private mutating func prepareToSave() throws {
    let evaluation = evaluation
    try state.context.deriveAtSave(in: evaluation)
    let failures = state.context.validationFailures(in: evaluation)
    try surroundings.cancel.check()
    try check(failures)
  }

  mutating func didSave(_ path: String, tookInOthers: Bool) {
    state.context.didSave()
    state.trace.removeAll()
    state.store.hasSaved = true
    report(Report.saved(path, tookInOthers: tookInOthers))
  }

  /// A new store takes the zone that was chosen for the session, and else is in UTC.
  var contents: StoreContents { contents(of: state.context.graph) }

  func contents(of graph: Graph) -> StoreContents {
    let store = state.store
    let zone: String? =
      switch store.home {
      case .file: store.timeZoneID
      case .memory, .plain: store.timeZoneID ?? state.chosenZone?.identifier
      }
    return StoreContents(graph: graph, isStore: true, timeZoneID: zone, userInfo: store.userInfo)
  }

  /// Refuses a model that does not hold together, and objects that break its rules, all at once.
  func check(_ found: [ValidationFailure], isSave: Bool = true) throws(Failure) {
    let problems = ModelCheck(state.context.graph.model).problems.map(\.asDiagnostic)
    guard problems.isEmpty else { throw Failure(problems) }
    let failures = state.trace.placed(found, in: state.context.graph)
    guard failures.isEmpty else { throw isSave ? notSaved(failures) : Failure(failures) }
  }

  /// All that is wrong, and behind it the way on.
  func notSaved(_ problems: [Diagnostic]) -> Failure {
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
