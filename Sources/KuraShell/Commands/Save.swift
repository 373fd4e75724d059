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
  /// With another file, the session goes on there. The open store's own name is a plain save, unless
  /// it is to be replaced.
  func save(to file: Name? = nil, replaces: Bool = false) throws {
    try checkNoScratch("save")
    guard file?.text.isEmpty != true else { throw Failure(SaveFacts.noFileName, at: file?.span) }
    let isAnother = file.map { $0.text != store.path } ?? false
    try checkTarget(file, isAnother: isAnother)
    if let file, isAnother || replaces { return try save(as: file, replaces: replaces) }
    guard case .file(let path) = store.home else {
      if case .plain = store.home { throw Failure(SaveFacts.savedAsPlainJSON) }
      throw Failure(SaveFacts.savedNowhere)
    }
    guard context.hasChanges else { return try saveNothing() }
    try prepareToSave()
    if launch.isDryRun { return try showDryRun(path) }
    guard let keeper = store.keeper else {
      return try make(StoreTarget(path: path, replaces: true), at: nil)
    }
    try save(by: keeper)
  }

  /// The store that is open may have other names, as plain JSON too, and files beside it.
  private func checkTarget(_ file: Name?, isAnother: Bool) throws(Failure) {
    let isOwn =
      file.map { file in
        store.source.map { StorePlace.isFile(file.text, ofStoreAt: $0) } ?? !isAnother
      } ?? true
    guard isOwn else { return }
    if store.isReadOnly { throw Failure(SaveFacts.readOnly, at: file?.span) }
    if let file, let source = store.source, !StorePlace.isDocument(file.text, ofStoreAt: source) {
      throw Failure(OutputFacts.outputOverInput(file.text), at: file.span)
    }
  }

  /// Nothing was changed here; still what was saved may have been taken away by somebody.
  private func saveNothing() throws {
    let isWriting = !launch.isDryRun
    guard isWriting, let warning = try store.keeper?.restoreJournal(contents) else {
      return report(Report.nothingToSave)
    }
    report(warning)
  }

  /// A whole new file, or one in the place of another.
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
      keeper = try surroundings.makeStore(
        contents, target, keeping, surroundings.lockWaiting)
    } catch {
      throw Failure.writing(error, over: SaveFacts.savesOver(path: target.path), at: span)
    }
    store.home = .file(target.path)
    store.timeZoneID = contents.timeZoneID
    store.isReadOnly = false
    keep(keeper)
    didSave(target.path, tookInOthers: false)
  }

  /// What rules derive from the moment of the save is computed; then everything is asked.
  private func prepareToSave() throws {
    let evaluation = evaluation
    try context.deriveAtSave(in: evaluation)
    let failures = context.validationFailures(in: evaluation)
    try surroundings.cancel.check()
    try check(failures)
  }

  func didSave(_ path: String, tookInOthers: Bool) {
    context.didSave()
    trace.removeAll()
    dropTaken()
    store.hasSaved = true
    report(Report.saved(path, tookInOthers: tookInOthers))
  }

  /// Under `--dry-run` a save lists what it would write, and is taken for done.
  private func showDryRun(_ path: String) throws {
    try showChanges()
    context.didSave()
    trace.removeAll()
    report(Report.wouldSave(path))
  }

  /// What a dry run ends with and did not save, if there is something.
  func showUnsavedInDryRun() throws {
    guard scratches.isEmpty, context.hasChanges, store.path != nil else { return }
    try save()
  }

  /// A new store takes the zone that was chosen for the session, else the machine's; what was read
  /// from plain JSON or a pipe is in UTC.
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

  /// Refuses a model that does not hold together, and objects that break its rules, all at once.
  func check(_ found: [ValidationFailure], isSave: Bool = true) throws(Failure) {
    let problems = ModelCheck(context.graph.model).problems.map(\.asDiagnostic)
    guard problems.isEmpty else { throw Failure(problems) }
    let failures = trace.placed(found, in: context.graph)
    guard failures.isEmpty else { throw isSave ? notSaved(failures) : Failure(failures) }
  }

  /// All that is wrong, and behind it the way on.
  func notSaved(_ problems: [Diagnostic]) -> Failure {
    Failure(problems + [Diagnostic(SaveFacts.notSaved, severity: .note)])
  }
}

/// Why nothing was saved.
enum SaveFacts: DiagnosticFacts {
  /// `save ""`
  case noFileName
  /// `save` under `--read-only`
  case readOnly
  /// `insert` under `--read-only`
  case changedReadOnly
  /// `save` alone, where plain JSON was opened
  case savedAsPlainJSON
  /// `save` alone without a store
  case savedNowhere
  /// `save "FILE"` where that file is
  case savesOver(path: String)
  /// `save` of what breaks the model
  case notSaved

  var sentence: String {
    switch self {
    case .noFileName: localized("a file name is wanted")
    case .readOnly: localized("the store was opened with --read-only")
    case .changedReadOnly:
      localized("the store was opened with --read-only, so this cannot be saved")
    case .savedAsPlainJSON: localized("this is plain JSON, which has no model to write a store by")
    case .savedNowhere: localized("there is no store to save to")
    case .savesOver(let path): localized("\"\(path)\" is there already")
    case .notSaved: localized("nothing was saved, and the changes are still here")
    }
  }

  var help: String? {
    switch self {
    case .noFileName: localized("write save \"FILE\", or save alone")
    case .readOnly: localized("open it without that option to save")
    case .changedReadOnly:
      localized("the changes last until you leave; open it without that option to save")
    case .savedAsPlainJSON, .savedNowhere: localized("name a file: save \"FILE\"")
    case .savesOver: localized("to replace it: save \"FILE\" replacing")
    case .notSaved: localized("mend what is listed with update, or take it back: undo, rollback")
    }
  }
}

extension Report {
  static var nothingToSave: String { localized("nothing to save") }

  static func saved(_ path: String, tookInOthers: Bool = false) -> String {
    localized("saved: \(path)")
      + (tookInOthers ? localized(", with what others have saved meanwhile") : "")
  }

  static func wouldSave(_ path: String) -> String {
    localized("dry run: this would be saved to \(path); nothing was written")
  }
}

/// `Item.tags: …`, where the whole model is looked at
private struct ModelPlaceFacts: DiagnosticFacts {
  let place: String
  let facts: ModelFacts

  var sentence: String { "\(place): \(facts.sentence)" }

  var help: String? {
    if case .unknownInverse(let key, let destination, let near) = facts {
      return didYouMean(near)
        ?? localized(
          "define \(key) in \(destination), with \(place) as its inverse; or take the inverse out")
    }
    return facts.help
  }
}

extension ModelProblem {
  /// What is wrong with the model as a whole, which no statement's text shows.
  fileprivate var asDiagnostic: Diagnostic {
    switch (place, facts) {
    case (.relationshipRule(let key, let entity, _), .unknownDestination(let destination, _)):
      Diagnostic(
        ChangeFacts.unresolvedDestination(entity: entity, key: key, destination: destination))
    default: Diagnostic(ModelPlaceFacts(place: place.name, facts: facts))
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
