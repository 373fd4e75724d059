import Foundation
package import KuraBytes
package import KuraDiagnostics
package import KuraGraph
import KuraSentences

/// A store that is open for saving: its document, its journal, its lock.
///
///     let kept = try StoreKeeper.open(path: "todo.json")
///     var context = ManagedObjectContext(kept.store.graph)
///     …
///     try kept.keeper?.save(StoreSaveRequest(contents, context.netChange)) { fresh in … }
///     kept.keeper?.close(contents)
package final class StoreKeeper {
  let keeper: JournaledDocument<StoreContents>
  package let path: String
  /// What is done while somebody else saves.
  package var waits = LockWaiting()

  init(_ keeper: JournaledDocument<StoreContents>, path: String) {
    self.keeper = keeper
    self.path = path
  }
}

/// What opening a path gave.
package struct StoreOpenResult {
  package var store: StoreContents
  /// Nil for what is no store in a file: plain JSON, a pipe.
  package var keeper: StoreKeeper?
  /// What there is to know: a save that was dropped, why the store is read only.
  package var notes: [Diagnostic] = []
  /// Whether saves were acknowledged that are not in what was read.
  package var lacksSaves = false
  /// What the cache of its columns is asked at changes and at the end; nil: there is none.
  package var cache: StoreCache?

  package init(
    store: StoreContents, keeper: StoreKeeper?, notes: [Diagnostic] = [], lacksSaves: Bool = false,
    cache: StoreCache? = nil
  ) {
    self.store = store
    self.keeper = keeper
    self.notes = notes
    self.lacksSaves = lacksSaves
    self.cache = cache
  }
}

extension StoreKeeper {
  /// Why the store is only read, if it is; said in `StoreOpenResult.notes` too.
  package var readOnly: ReadOnlyReason? { keeper.readOnly }

  /// Whether there is a journal that a fold would take away.
  package var hasJournal: Bool { keeper.known.journal != nil }

  /// To be called when the first change is made: another thread then works out what names the
  /// document, and the first save need not read it.
  package func prepareToSave() { keeper.prepareToSave() }

  /// Saves, and returns when it outlasts a loss of power.
  ///
  /// If others saved since, `rebase` is given what the disk has now and says what is to be saved on
  /// top of it. Throws what `rebase` throws, `Stopped`, or `StoreProblems`; then the store is as it
  /// was. Linear in the change, without regard to the size of the store. The history gets `entry`, where one
  /// is kept, with the change.
  package func save(
    _ change: StoreSaveRequest, noting entry: SaveEntry? = nil,
    rebase: (StoreContents) throws -> StoreSaveRequest
  ) throws -> StoreSaveResult {
    var refusal: SaveHistory.Refusal?
    let noting = { (entry: SaveEntry) in
      do throws(SaveHistory.Refusal) { _ = try self.history.add(entry) } catch { refusal = error }
    }
    let entry = history.isKept ? entry : nil
    return try saying {
      let result = try keeper.save(request(change, entry, noting), waiting: waiting()) { fresh in
        try request(try rebase(fresh), entry, noting)
      }
      return StoreSaveResult(
        contents: result.contents, tookInOthers: result.tookInOthers, warnings: warnings(result),
        historyRefusal: refusal)
    }
  }

  /// Reads what others saved since; false if nobody did.
  ///
  /// `saved` is what was saved last, where nothing has been changed since: then only the journal's new
  /// records are read, else the whole store. If `adopt` throws, it is as if nothing had been read. Throws
  /// `StoreProblems` and adopts nothing where what was saved is not on the disk, or cannot be told.
  package func refresh(
    from saved: StoreContents? = nil, _ adopt: (StoreContents) throws -> Void
  ) throws -> Bool {
    var saved = saved
    saved?.news = []
    return try saying { try keeper.refresh(from: saved) { store, _ in try adopt(store) } }
  }

  /// Folds the journal into the document: `.fold`. `contents` is what was saved last.
  package func fold(_ contents: StoreContents) throws -> FoldOutcome {
    do { return try keeper.fold(contents, waiting: waiting()) } catch {
      throw foldProblems(error) ?? error
    }
  }

  /// All is saved where it was before, in the journal; but for one that was taken away.
  private func foldProblems(_ error: any Error) -> StoreProblems? {
    if case KeepingFailure.file = error {
      let isLost = (try? keeper.isJournalLost) ?? false
      let reason = reason(error)
      return StoreProblems([
        Diagnostic(
          isLost
            ? KeepingFacts.notRestored(reason: reason, path: path)
            : KeepingFacts.notFolded(reason: reason, path: path))
      ])
    }
    return StoreProblems(keeping: error, path: path)
  }

  /// Writes anew what was saved, where the journal that has it was taken away, and says so; nil
  /// where nothing is missing. `contents` is what was saved last.
  ///
  /// Throws where the document itself was taken away.
  package func restoreJournal(_ contents: StoreContents) throws -> Diagnostic? {
    guard readOnly == nil, try isJournalLost else { return nil }
    return try restored(fold(contents))
  }

  /// What else is wrong is said when something is to be saved.
  private var isJournalLost: Bool {
    get throws {
      do { return try keeper.isJournalLost } catch KeepingFailure.documentGone {
        throw StoreProblems([Diagnostic(KeepingFacts.documentGone(path: path))])
      } catch {
        return false
      }
    }
  }

  /// Writes a store anew whose document was taken away; false where one is there. `contents` is
  /// what is to be saved.
  package func remake(_ contents: StoreContents) throws -> Bool {
    try saying { try keeper.remake(contents, waiting: waiting()) }
  }

  /// A clean end: folds if the document is small and nobody else is at it.
  ///
  /// `contents` is what was saved last. A fold that fails loses nothing, and is said as a warning.
  package func close(_ contents: StoreContents) -> [Diagnostic] {
    let isLost = (try? keeper.isJournalLost) ?? false
    do {
      let outcome = try keeper.close(contents)
      return isLost ? [restored(outcome)] : []
    } catch {
      return [isLost ? notRestored(reason(error)) : notClosed(error)]
    }
  }
}

extension StoreKeeper {
  private func request(
    _ change: StoreSaveRequest, _ entry: SaveEntry?, _ noting: @escaping (SaveEntry) -> Void
  ) throws -> SaveRequest<StoreContents> {
    let record = try change.change.map { try self.record(of: $0, in: change.contents.graph) }
    guard var entry, change.change?.isEmpty != true else {
      return SaveRequest(change.contents, record: record)
    }
    entry.change = change.change
    entry.types = change.change.map { KeyTypes($0, in: change.contents.graph.model) }
    return SaveRequest(change.contents, record: record) { before, after in
      (entry.before, entry.after) = (before, after)
      noting(entry)
    }
  }

  /// The bytes of a record, which a reader would take: they are read once before they are written.
  private func record(of change: ChangeSet, in graph: Graph) throws -> [UInt8] {
    let cancel = keeper.options.cancel
    if let fault = graph.formFault(after: change, cancel) {
      throw KeepingFailure.notReadable(fault)
    }
    var bytes = KeptChange(change, in: graph).bytes(cancel)
    try cancel.check()
    do throws(StrangeRecord) { try KeptChange.check(&bytes, for: graph) } catch {
      throw KeepingFailure.recordRefused(change.refusal(in: graph.model))
    }
    return bytes
  }

  private func waiting() -> (LockHolder?) throws -> Void {
    waits.steps(path: path, keeper.options.lockTimeout)
  }

  private func warnings(_ result: SaveResult<StoreContents>) -> [Diagnostic] {
    (result.restoredJournal ? [restored(.folded)] : [])
      + (result.foldFailure.map { [notFolded($0)] } ?? [])
  }

  private func notFolded(_ error: any Error) -> Diagnostic {
    if case KeepingFailure.ownerNotKept(let owner) = error {
      let name = SystemCalls.userName(owner)
      return Diagnostic(KeepingFacts.foldLeftToOwner(owner: name, path: path), severity: .note)
    }
    return warning(.notFolded(reason: reason(error), path: path))
  }

  private func notRestored(_ reason: String) -> Diagnostic {
    warning(.notRestored(reason: reason, path: path))
  }

  /// What came of the end of a session whose journal was taken away.
  private func restored(_ outcome: FoldOutcome) -> Diagnostic {
    switch outcome {
    case .folded: warning(.journalTakenAway(path: path, isWrittenAnew: true))
    case .busy: notRestored(localized("the store cannot be locked"))
    case .nothingToFold, .othersSaved, .leftToOwner: notRestored(localized("somebody else saved"))
    }
  }

  /// What cannot be gone on with is more than a fold that has to wait.
  private func notClosed(_ error: any Error) -> Diagnostic {
    switch error {
    case KeepingFailure.readOnly(let reason): warning(.notTakenIn(reason, path: path))
    case KeepingFailure.documentGone: warning(.documentGoneAtEnd(path: path))
    default: notFolded(error)
    }
  }

  private func reason(_ error: any Error) -> String {
    if keeper.options.cancel.isRequested { return localized("it was stopped") }
    return StoreProblems(keeping: error, path: path)?.diagnostics.first?.facts.sentence
      ?? "\(error)"
  }

  private func warning(_ facts: KeepingFacts) -> Diagnostic {
    Diagnostic(facts, severity: .warning)
  }

  private func saying<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw StoreProblems(keeping: error, path: path) ?? error
    }
  }
}

extension StoreKeeper {
  /// Opens a store's document with what its journal has beyond it, or reads plain JSON.
  ///
  /// Takes no lock. Without a journal it costs no more than reading the document.
  package static func open(
    path: String, _ options: KeepingOptions = KeepingOptions(), progress: WorkProgress = .none
  ) throws(StoreProblems) -> StoreOpenResult {
    try open(path: path, options, .live, progress)
  }

  static func open(
    path: String, _ options: KeepingOptions, _ files: FileOperations,
    _ progress: WorkProgress = .none
  ) throws(StoreProblems) -> StoreOpenResult {
    guard try PathKind(path) == .plainFile else {
      try checkJournal(without: path, files)
      let reader = StoreReader(path: path, progress: progress, cancel: options.cancel)
      let store = try reader.read()
      // It may have come meanwhile, and with it a journal.
      if try PathKind(path) == .plainFile { return try open(path: path, options, files, progress) }
      return StoreOpenResult(store: store, keeper: nil)
    }
    return try saying(path) {
      let place = try on(.document) { () throws(FileError) in try StorePlace(path: path, files) }
      let cache = options.cache.map(StoreCache.init)
      let opened = try opening(path) {
        let form = DocumentForm.store(progress, options.cancel, cache)
        return try JournaledDocument.open(place, files, form, options)
      }
      let keeper = StoreKeeper(opened.keeper, path: path)
      let lacksSaves = keeper.readOnly?.lacksSaves ?? false
      // Beside saves, what is no store was one: that is said as of any other that was changed.
      guard opened.contents.isStore || lacksSaves else {
        return StoreOpenResult(
          store: opened.contents, keeper: nil, notes: said(opened.notes, path), cache: cache)
      }
      return StoreOpenResult(
        store: opened.contents, keeper: opened.contents.isStore ? keeper : nil,
        notes: keeper.notes(opened.notes), lacksSaves: lacksSaves, cache: cache)
    }
  }

  /// Writes a store where there was none, or with `replaces` in the place of another, and keeps it.
  ///
  /// Nil for what is no file, as `/dev/stdout`: it was written to.
  package static func make(
    _ contents: StoreContents, path: String, replaces: Bool,
    _ options: KeepingOptions = KeepingOptions(), _ waits: LockWaiting = LockWaiting()
  ) throws(StoreProblems) -> StoreKeeper? {
    guard try PathKind(path) != .other else {
      try StoreWriter(path: path).write(contents, replacing: true)
      return nil
    }
    if let format = OtherFormat(path: path) {
      throw StoreProblems([Diagnostic(StoreFacts.otherFormat(path: path, format))])
    }
    if let store = StorePlace.store(withFileAt: path) {
      throw StoreProblems([Diagnostic(StoreFacts.nameOfOwnFile(path: path, store: store))])
    }
    return try saying(path) {
      let place = try on(.document) { () throws(FileError) in try StorePlace(path: path, .live) }
      let keeper = try JournaledDocument.make(
        contents, at: place, replaces: replaces, .live, .store(.none, options.cancel), options,
        waiting: waits.steps(path: path, options.lockTimeout))
      return StoreKeeper(keeper, path: path)
    }
  }

  private static func saying<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(StoreProblems) -> Result {
    do { return try body() } catch {
      throw StoreProblems(keeping: error, path: path)
        ?? StoreProblems([Diagnostic(StoreFacts.cannotOpen(path: path, errorNumber: EIO))])
    }
  }

  /// Says what was refused to somebody who has nothing open yet.
  private static func opening<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch KeepingFailure.file(let error, let file)
      where file != .document || error.operation != .open
    {
      throw StoreProblems([Diagnostic(KeepingFacts.notOpened(error, file, path: path))])
    }
  }

  /// A store whose document is gone is not one that was never there.
  private static func checkJournal(
    without path: String, _ files: FileOperations
  ) throws(StoreProblems) {
    guard try PathKind(path) == .nothing, let place = try? StorePlace(path: path, files) else {
      return
    }
    // What cannot be read may have some.
    guard (try? place.journalHasSaves(files, CancelFlag())) ?? true else { return }
    throw StoreProblems([Diagnostic(KeepingFacts.journalWithoutDocument(path: path))])
  }

  private static func said(_ notes: [KeepingNote], _ path: String) -> [Diagnostic] {
    notes.map { Diagnostic(KeepingFacts.note($0, path: path), severity: $0.severity) }
  }

  /// All notes, and why it is read only.
  private func notes(_ notes: [KeepingNote]) -> [Diagnostic] {
    let said = StoreKeeper.said(notes, path)
    guard let readOnly else { return said }
    let warning = Diagnostic(KeepingFacts.readOnly(readOnly, path: path), severity: .warning)
    guard keeper.options.dropsDamagedSave, case .damagedJournal = readOnly else {
      return said + [warning]
    }
    return said + [
      warning, Diagnostic(KeepingFacts.dropsOnlyLast(path: path), severity: .note),
    ]
  }
}

/// What a path leads to.
private enum PathKind {
  case nothing, plainFile
  /// A pipe, a device, a folder.
  case other

  /// Throws where the system does not tell: what is no answer must not be taken for "nothing", for
  /// then a store would be read without its journal.
  init(_ path: String) throws(StoreProblems) {
    var status = stat()
    if stat(path, &status) == 0 {
      self = status.st_mode & S_IFMT == S_IFREG ? .plainFile : .other
      return
    }
    guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else {
      throw StoreProblems([Diagnostic(StoreFacts.notOpened(path, errno))])
    }
    self = .nothing
  }
}

extension StoreProblems {
  /// What went wrong while a store was kept, in words; nil for what is somebody else's error.
  init?(keeping error: any Error, path: String) {
    switch error {
    case let problems as StoreProblems: self = problems
    case let failure as KeepingFailure: self.init([Diagnostic(failure.facts(path))])
    case let failure as WriteFailure: self.init([Diagnostic(failure.facts(path))])
    case let error as FileError:
      self.init([Diagnostic(KeepingFacts.refused(error, .document, path: path))])
    default: return nil
    }
  }
}

extension KeepingFailure {
  fileprivate func facts(_ path: String) -> any DiagnosticFacts {
    switch self {
    case .file(let error, .document) where error.operation == .open:
      StoreFacts.notOpened(path, error.number)
    case .file(let error, let file): KeepingFacts.refused(error, file, path: path)
    case .readOnly(let reason): KeepingFacts.notTakenIn(reason, path: path)
    case .journalTakenAway: KeepingFacts.journalTakenAway(path: path, isWrittenAnew: false)
    case .journalWithoutDocument: KeepingFacts.journalWithoutDocument(path: path)
    case .documentReplaced: KeepingFacts.documentReplaced(path: path)
    case .documentGone: KeepingFacts.documentGone(path: path)
    case .exists: StoreFacts.exists(path: path)
    case .restless: KeepingFacts.restless(path: path)
    case .strangeFile(let file, let strange): KeepingFacts.strangeFile(file, strange, path: path)
    case .ownerNotKept(let owner):
      KeepingFacts.ownerNotKept(owner: SystemCalls.userName(owner), path: path)
    case .ownerLockedOut(let owner):
      KeepingFacts.ownerLockedOut(owner: SystemCalls.userName(owner), path: path)
    case .notReadBack(let reason): KeepingFacts.notReadBack(reason: reason, path: path)
    case .notReadable(let fault): KeepingFacts.notReadable(fault, path: path)
    case .recordRefused(let refusal): KeepingFacts.recordRefused(refusal, path: path)
    case .lockTimedOut(let holder, let time):
      KeepingFacts.lockTimedOut(holder, after: time, path: path)
    case .unknownJournal(let version):
      KeepingFacts.unknownJournal(path: path, version: version)
    }
  }
}

/// What is to be saved.
package struct StoreSaveRequest {
  /// Everything as it is to be on the disk.
  package var contents: StoreContents
  /// What was changed since the last save. Nil writes the document anew: the model, saved requests,
  /// the zone or `userInfo` were changed, of which a change set knows nothing.
  package var change: ChangeSet?

  package init(_ contents: StoreContents, _ change: ChangeSet?) {
    self.contents = contents
    self.change = change
  }
}

/// What came of a save.
package struct StoreSaveResult {
  /// What is on the disk now: what was given, or what it was rebased to.
  package var contents: StoreContents
  /// Whether saves of others were taken in.
  package var tookInOthers: Bool
  /// Things to say that do not matter for what was saved.
  package var warnings: [Diagnostic]
  /// Why the history does not have the save.
  package var historyRefusal: SaveHistory.Refusal?
}

/// A format that a file's name says, and that no store is written in.
///
///     OtherFormat(path: "todo.sqlite")?.name    // "SQLite"
package struct OtherFormat: Sendable, Hashable {
  package let name: String
  /// The path with the extension of a store.
  package let jsonPath: String

  /// Nil if the name says nothing, or JSON.
  package init?(path: String) {
    let file = path.split(separator: "/").last ?? ""
    guard let point = file.lastIndex(of: "."), point > file.startIndex,
      let name = Self.names[file[point...].dropFirst().lowercased()]
    else { return nil }
    self.name = name
    jsonPath = path.prefix(path.count - file[point...].count) + ".json"
  }

  private static let names = [
    "sqlite": "SQLite", "sqlite3": "SQLite", "db": "SQLite", "xml": "XML", "plist": "plist",
    "csv": "CSV", "tsv": "TSV", "jsonl": "JSON Lines", "ndjson": "JSON Lines", "yaml": "YAML",
    "yml": "YAML", "md": "Markdown", "html": "HTML", "xlsx": "Excel",
  ]
}
