import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

/// `save`, `save "FILE" replacing`
extension SaveStatement: Command {
  func perform(in session: Session, _ source: SourceText) throws {
    try session.save(to: file, replaces: replaces)
  }
}

extension Session {
  /// Saves; after a save to another file the session continues there. The open store's own name
  /// means a plain save, unless it is to be replaced.
  func save(to file: Name? = nil, replaces: Bool = false) throws {
    try checkNoScratch("save")
    guard file?.text.isEmpty != true else { throw Failure(SaveProblem.noFileName, at: file?.span) }
    let isAnother = file.map { $0.text != store.path } ?? false
    try checkTarget(file, isAnother: isAnother)
    if let file, isAnother || replaces { return try save(as: file, replaces: replaces) }
    guard case .file(let path) = store.home else {
      if case .plain(.files) = store.home { throw Failure(SaveProblem.savedAsSeveral) }
      if case .plain = store.home { throw Failure(SaveProblem.savedAsPlainJSON) }
      throw Failure(SaveProblem.savedNowhere)
    }
    guard context.hasChanges else { return try saveNothing() }
    try prepareToSave()
    if launch.isDryRun { return try showDryRun(path) }
    guard let keeper = store.keeper else {
      return try make(StoreTarget(path: path, replaces: true), at: nil)
    }
    try save(by: keeper)
  }

  /// Checks the target: the open store may have other names, also as plain JSON, and sidecar files.
  private func checkTarget(_ file: Name?, isAnother: Bool) throws(Failure) {
    let isOwn =
      file.map { file in
        store.sources.isEmpty
          ? !isAnother : store.sources.contains { StorePlace.isFile(file.text, ofStoreAt: $0) }
      } ?? true
    guard isOwn else { return }
    if store.isReadOnly { throw Failure(SaveProblem.readOnly, at: file?.span) }
    if let file, !store.sources.isEmpty,
      !store.sources.contains(where: { StorePlace.isDocument(file.text, ofStoreAt: $0) })
    {
      throw Failure(OutputProblem.outputOverInput(file.text), at: file.span)
    }
  }

  /// Reports that nothing was changed, after restoring a journal that was removed.
  private func saveNothing() throws {
    let isWriting = !launch.isDryRun
    guard isWriting, let warning = try store.keeper?.restoreJournal(contents) else {
      return report(localized("nothing to save"))
    }
    report(warning)
  }

  /// Writes a new file, or replaces an existing one.
  private func save(as file: Name, replaces: Bool) throws {
    if file.text != store.path { try checkSafe(.saving, at: file.span) }
    try prepareToSave()
    if launch.isDryRun { return try showDryRun(file.text) }
    if file.text == store.path, let keeper = store.keeper, try keeper.remake(contents) {
      return didSave(file.text, tookInOthers: false)
    }
    try make(StoreTarget(path: file.text, replaces: replaces), at: file.span)
  }

  private func make(_ target: StoreTarget, at span: SourceSpan?) throws {
    let contents = contents
    let keeper: StoreKeeper?
    do throws(StoreProblems) {
      keeper = try services.makeStore(
        contents, target, keeping, services.lockWaiting)
    } catch {
      throw Failure.writing(error, over: SaveProblem.savesOver(path: target.path), at: span)
    }
    store.home = .file(target.path)
    store.timeZoneID = contents.timeZoneID
    store.isReadOnly = false
    keep(keeper)
    didSave(target.path, tookInOthers: false)
  }

  /// Computes derived values that depend on the time of the save; then validates everything.
  private func prepareToSave() throws {
    let evaluation = evaluation
    try context.deriveAtSave(in: evaluation)
    let failures = context.validationFailures(in: evaluation)
    try services.cancel.check()
    try check(failures)
  }

  func didSave(_ path: String, tookInOthers: Bool) {
    context.didSave()
    trace.removeAll()
    dropTaken()
    store.hasSaved = true
    report(Report.saved(path, tookInOthers: tookInOthers))
  }

  /// Lists what a save would write under `--dry-run`, and treats it as saved.
  private func showDryRun(_ path: String) throws {
    try showChanges()
    context.didSave()
    trace.removeAll()
    report(localized("dry run: this would be saved to \(path); nothing was written"))
  }

  /// Shows the unsaved changes at the end of a dry run, if there are any.
  func showUnsavedInDryRun() throws {
    guard scratches.isEmpty, context.hasChanges, store.path != nil else { return }
    try save()
  }

  /// The contents to save. A new store gets the zone of the session, or the machine's; plain JSON
  /// and pipes have UTC.
  var contents: StoreContents { contents(of: context.graph) }

  func contents(of graph: Graph) -> StoreContents {
    let store = store
    let zone: String? =
      switch store.home {
      case .file: store.timeZoneID
      case .memory, .plain:
        store.timeZoneID ?? settings.chosenZone?.identifier ?? store.newTimeZoneID
      }
    return StoreContents(graph: graph, isStore: true, timeZoneID: zone, userInfo: store.userInfo)
  }

  /// Throws all problems of an inconsistent model, and all objects that break its rules.
  func check(_ found: [ValidationFailure], isSave: Bool = true) throws(Failure) {
    let problems = ModelCheck(context.graph.model).problems.map(\.asDiagnostic)
    guard problems.isEmpty else { throw Failure(problems) }
    let failures = trace.placed(found, in: context.graph)
    guard failures.isEmpty else { throw isSave ? notSaved(failures) : Failure(failures) }
  }

  /// Returns the problems, with a note about what to do next.
  func notSaved(_ problems: [Diagnostic]) -> Failure {
    Failure(problems + [Diagnostic(SaveProblem.notSaved, severity: .note)])
  }
}

/// The reasons why nothing was saved.
enum SaveProblem: DiagnosticFacts {
  /// `save ""`
  case noFileName
  /// `save` under `--read-only`
  case readOnly
  /// `insert` under `--read-only`
  case changedReadOnly
  /// `save` alone after plain JSON was opened
  case savedAsPlainJSON
  /// `save` alone after several files were opened
  case savedAsSeveral
  /// `save` alone without a store
  case savedNowhere
  /// `save "FILE"` if that file exists
  case savesOver(path: String)
  /// `save` of changes that break the model
  case notSaved

  var sentence: String {
    switch self {
    case .noFileName: localized("the file name is empty")
    case .readOnly: localized("the store was opened with --read-only")
    case .changedReadOnly:
      localized("the store was opened with --read-only, so this cannot be saved")
    case .savedAsPlainJSON: localized("this is plain JSON, not a store, so save needs a file name")
    case .savedAsSeveral: localized("the objects are from several files, so save needs a file name")
    case .savedNowhere: localized("there is no store to save to")
    case .savesOver(let path): localized("\"\(path)\" already exists")
    case .notSaved: localized("nothing was saved; the changes remain in memory")
    }
  }

  var help: String? {
    switch self {
    case .noFileName: localized("write save \"FILE\", or just save")
    case .readOnly: localized("to save, open it without --read-only")
    case .changedReadOnly:
      localized("the changes are lost when you quit; to save, open it without --read-only")
    case .savedAsPlainJSON, .savedAsSeveral, .savedNowhere: localized("name a file: save \"FILE\"")
    case .savesOver: localized("to replace it: save \"FILE\" replacing")
    case .notSaved: localized("fix the objects above with update, or use undo or rollback")
    }
  }
}

extension Report {
  static func saved(_ path: String, tookInOthers: Bool = false) -> String {
    localized("saved: \(path)")
      + (tookInOthers ? localized(", merged with the saves of other sessions") : "")
  }

}

/// `Item.tags: …`, when the whole model is checked
private struct ModelPlaceProblem: DiagnosticFacts {
  let place: String
  let facts: ModelProblemKind

  var sentence: String { "\(place): \(facts.sentence)" }

  var help: String? {
    if case .unknownInverse(let key, let destination, let near) = facts {
      return didYouMean(near)
        ?? localized(
          "define \(key) in \(destination) with \(place) as its inverse, or remove the inverse")
    }
    return facts.help
  }
}

extension ModelProblem {
  /// The problem as a diagnostic without a place in a statement.
  fileprivate var asDiagnostic: Diagnostic {
    switch (place, facts) {
    case (.relationshipRule(let key, let entity, _), .unknownDestination(let destination, _)):
      Diagnostic(
        ChangeProblem.unresolvedDestination(entity: entity, key: key, destination: destination))
    default: Diagnostic(ModelPlaceProblem(place: place.name, facts: facts))
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
