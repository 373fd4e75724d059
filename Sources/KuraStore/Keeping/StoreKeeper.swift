import Foundation
package import KuraBytes
package import KuraDiagnostics
package import KuraGraph
import KuraSentences

/// A store that is open for saving, with its document, its journal and its lock.
///
///     let kept = try StoreKeeper.open(path: "todo.json")
///     var context = GraphContext(kept.store.graph)
///     …
///     try kept.keeper?.save(StoreSaveRequest(contents, context.netChange)) { fresh in … }
///     kept.keeper?.close(contents)
package final class StoreKeeper {
  let keeper: JournaledDocument<StoreContents>
  package let path: String
  /// The behavior while another process saves: report the wait, and possibly give up.
  package var waits = LockWaiting()

  init(_ keeper: JournaledDocument<StoreContents>, path: String) {
    self.keeper = keeper
    self.path = path
  }
}

/// The result of opening a path.
package struct StoreOpenResult {
  package var store: StoreContents
  /// Nil if the input is not a store in a file, such as plain JSON or a pipe.
  package var keeper: StoreKeeper?
  /// Notes, such as a save that was dropped or why the store is read only.
  package var notes: [Diagnostic] = []
  /// Whether acknowledged saves are missing from what was read.
  package var lacksSaves = false
  /// The cache of the store's columns; call it before the first change and at the end. Nil if there is no cache.
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

  /// Creates the result for an input that cannot be saved to.
  package init(reading store: StoreContents) {
    self.init(store: store, keeper: nil, notes: store.warnings)
  }
}

extension StoreKeeper {
  /// The reason why the store is read only, if it is; `StoreOpenResult.notes` reports it too.
  package var readOnly: ReadOnlyReason? { keeper.readOnly }

  /// Whether there is a journal that a fold would remove.
  package var hasJournal: Bool { keeper.known.journal != nil }

  /// Computes the document's name, a hash, in another thread, so that the first save need not read
  /// the document. Call this at the first change.
  package func prepareToSave() { keeper.prepareToSave() }

  /// Saves, and returns when the save would survive a loss of power.
  ///
  /// If other processes saved meanwhile, `rebase` receives the contents on the disk and returns the
  /// contents to save on top of them. Throws what `rebase` throws, `Stopped`, or `StoreProblems`;
  /// then the store is unchanged. Linear in the change, regardless of the size of the store. If
  /// there is a history, it gets `entry` with the change.
  package func save(
    _ change: StoreSaveRequest, recording entry: SaveEntry? = nil,
    rebase: (StoreContents) throws -> StoreSaveRequest
  ) throws -> StoreSaveResult {
    var refusal: SidecarProblem?
    let recording = { (entry: SaveEntry) in
      do throws(SidecarProblem) { _ = try self.history.add(entry) } catch { refusal = error }
    }
    let entry = history.isKept ? entry : nil
    return try convertingErrors {
      let result = try keeper.save(request(change, entry, recording), waiting: waiting()) { fresh in
        try request(try rebase(fresh), entry, recording)
      }
      return StoreSaveResult(
        contents: result.contents, tookInOthers: result.tookInOthers, warnings: warnings(result),
        historyRefusal: refusal)
    }
  }

  /// Reads the saves of other processes; returns false if there are none.
  ///
  /// If nothing has changed since the last save, pass its contents as `saved`: then only the journal's new records are
  /// read, otherwise the whole store. If `adopt` throws, nothing changes. Throws `StoreProblems` without adopting
  /// anything if saves are missing on the disk, or if this cannot be determined.
  package func refresh(
    from saved: StoreContents? = nil, _ adopt: (StoreContents) throws -> Void
  ) throws -> Bool {
    var saved = saved
    saved?.news = []
    return try convertingErrors { try keeper.refresh(from: saved) { store, _ in try adopt(store) } }
  }

  /// Folds the journal into the document (`.fold`). `contents` is what was saved last.
  package func fold(_ contents: StoreContents) throws -> FoldOutcome {
    do { return try keeper.fold(contents, waiting: waiting()) } catch {
      throw foldProblems(error) ?? error
    }
  }

  /// Returns the problems of a fold that failed: all saves are still in the journal, unless it was removed.
  private func foldProblems(_ error: any Error) -> StoreProblems? {
    if case KeepingFailure.file = error {
      let isLost = (try? keeper.isJournalLost) ?? false
      let reason = reason(error)
      return StoreProblems(
        isLost ? .notRestored(reason: reason) : .notFolded(reason: reason), path: path)
    }
    return StoreProblems(keeping: error, path: path)
  }

  /// Writes the saves of a removed journal again, and returns a warning; nil if no save is missing.
  /// `contents` is what was saved last.
  ///
  /// Throws if the document itself was removed.
  package func restoreJournal(_ contents: StoreContents) throws -> Diagnostic? {
    guard readOnly == nil, try isJournalLost else { return nil }
    return try restored(fold(contents))
  }

  /// Whether saves are missing; other problems are reported at the next save.
  private var isJournalLost: Bool {
    get throws {
      do { return try keeper.isJournalLost } catch KeepingFailure.documentGone {
        throw StoreProblems(.failure(.documentGone), path: path)
      } catch {
        return false
      }
    }
  }

  /// Rewrites a store with `contents` if its document was removed; returns false if the document exists.
  package func remake(_ contents: StoreContents) throws -> Bool {
    try convertingErrors { try keeper.remake(contents, waiting: waiting()) }
  }

  /// Ends the session: folds if the document is small and no other process uses it.
  ///
  /// `contents` is what was saved last. A failed fold loses nothing, and is reported as a warning.
  package func close(_ contents: StoreContents) -> [Diagnostic] {
    let isLost = (try? keeper.isJournalLost) ?? false
    do {
      let outcome = try keeper.close(contents)
      return isLost ? [restored(outcome)] : []
    } catch {
      return [isLost ? notRestored(reason(error)) : notClosed(error)]
    }
  }

  private func request(
    _ change: StoreSaveRequest, _ entry: SaveEntry?, _ recording: @escaping (SaveEntry) -> Void
  ) throws -> SaveRequest<StoreContents> {
    let record = try change.change.map { try self.record(of: $0, in: change.contents.graph) }
    guard var entry, change.change?.isEmpty != true else {
      return SaveRequest(change.contents, record: record)
    }
    entry.change = change.change
    entry.types = change.change.map { KeyTypes($0, in: change.contents.graph.model) }
    return SaveRequest(change.contents, record: record) { before, after in
      (entry.before, entry.after) = (before, after)
      recording(entry)
    }
  }

  /// Returns the bytes of a record, after checking that the reader would accept them.
  private func record(of change: ChangeSet, in graph: Graph) throws -> [UInt8] {
    let cancel = keeper.options.cancel
    if let fault = graph.unrepresentableState(after: change, cancel) {
      throw KeepingFailure.notReadable(fault)
    }
    var bytes = JournaledChange(change, in: graph).bytes(cancel)
    try cancel.check()
    do throws(InvalidRecord) { try JournaledChange.check(&bytes, for: graph) } catch {
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
    if case KeepingFailure.ownerNotPreserved(let owner) = error {
      return diagnostic(.foldLeftToOwner(owner: owner), .note)
    }
    return diagnostic(.notFolded(reason: reason(error)))
  }

  private func notRestored(_ reason: String) -> Diagnostic {
    diagnostic(.notRestored(reason: reason))
  }

  /// Returns the warning about a removed journal at the end of a session.
  private func restored(_ outcome: FoldOutcome) -> Diagnostic {
    switch outcome {
    case .folded: diagnostic(.journalRestored)
    case .busy: notRestored(localized("the store cannot be locked"))
    case .nothingToFold, .othersSaved, .leftToOwner:
      notRestored(localized("another session has saved"))
    }
  }

  /// Returns the warning at the end of a session. A store that cannot be continued takes precedence over a failed fold.
  private func notClosed(_ error: any Error) -> Diagnostic {
    switch error {
    case KeepingFailure.readOnly(let reason): diagnostic(.failure(.readOnly(reason)))
    case KeepingFailure.documentGone: diagnostic(.documentGoneAtEnd)
    default: notFolded(error)
    }
  }

  private func reason(_ error: any Error) -> String {
    if keeper.options.cancel.isRequested { return localized("it was interrupted") }
    return StoreProblems(keeping: error, path: path)?.diagnostics.first?.facts.sentence
      ?? "\(error)"
  }

  private func diagnostic(
    _ event: KeepingMessage.Event, _ severity: Severity = .warning
  ) -> Diagnostic {
    Diagnostic(KeepingMessage(event, path: path), severity: severity)
  }

  private func convertingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw StoreProblems(keeping: error, path: path) ?? error
    }
  }

  /// Opens a store's document and applies its journal, or reads plain JSON.
  ///
  /// Acquires no lock. Without a journal it costs no more than reading the document.
  package static func open(
    path: String, _ options: KeepingOptions = KeepingOptions(), progress: WorkProgress = .none
  ) throws(StoreProblems) -> StoreOpenResult {
    try open(path: path, options, .live, progress)
  }

  static func open(
    path: String, _ options: KeepingOptions, _ files: FileOperations,
    _ progress: WorkProgress = .none
  ) throws(StoreProblems) -> StoreOpenResult {
    guard try PathKind(path) == .plainFile, !options.isLenient else {
      try checkJournal(without: path, files)
      let reader = StoreReader(
        path: path, isLenient: options.isLenient, progress: progress, cancel: options.cancel)
      let result = try StoreOpenResult(reading: reader.read())
      // The document may have been created meanwhile, and a journal with it.
      if try PathKind(path) == .plainFile, !options.isLenient {
        return try open(path: path, options, files, progress)
      }
      return result
    }
    return try convertingErrors(path) {
      let place = try StorePlace(path: path, files)
      let cache = options.cache.map(StoreCache.init)
      let opened = try opening(path) {
        let form = DocumentForm.store(progress, options.cancel, cache)
        return try JournaledDocument.open(place, form, options)
      }
      let keeper = StoreKeeper(opened.keeper, path: path)
      let lacksSaves = keeper.readOnly?.lacksSaves ?? false
      // If there are saves next to a file that is not a store, the file was a store and was changed.
      guard opened.contents.isStore || lacksSaves else {
        return StoreOpenResult(
          store: opened.contents, keeper: nil,
          notes: keeper.notes(opened.notes, readOnly: nil) + opened.contents.warnings, cache: cache)
      }
      return StoreOpenResult(
        store: opened.contents, keeper: opened.contents.isStore ? keeper : nil,
        notes: keeper.notes(opened.notes, readOnly: keeper.readOnly), lacksSaves: lacksSaves,
        cache: cache)
    }
  }

  /// Creates a store, or replaces an existing one if `replaces` is set, and opens it for saving.
  ///
  /// Returns nil after writing to something that is not a file, such as `/dev/stdout`.
  package static func make(
    _ contents: StoreContents, path: String, replaces: Bool,
    _ options: KeepingOptions = KeepingOptions(), _ waits: LockWaiting = LockWaiting()
  ) throws(StoreProblems) -> StoreKeeper? {
    guard try PathKind(path) != .other else {
      try contents.writeInPlace(path)
      return nil
    }
    if let format = OtherFormat(path: path) {
      throw StoreProblems([Diagnostic(StoreProblem.otherFormat(path: path, format))])
    }
    if let store = StorePlace.store(withFileAt: path) {
      throw StoreProblems([Diagnostic(StoreProblem.nameOfStoreFile(path: path, store: store))])
    }
    return try convertingErrors(path) {
      let place = try StorePlace(path: path, .live)
      let keeper = try JournaledDocument.make(
        contents, at: place, replaces: replaces, .store(.none, options.cancel), options,
        waiting: waits.steps(path: path, options.lockTimeout))
      return StoreKeeper(keeper, path: path)
    }
  }

  private static func convertingErrors<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(StoreProblems) -> Result {
    do { return try body() } catch {
      throw StoreProblems(keeping: error, path: path)
        ?? StoreProblems([Diagnostic(StoreProblem.cannotOpen(path: path, errorNumber: EIO))])
    }
  }

  /// Converts an error of the operating system to a message about opening the store.
  private static func opening<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch KeepingFailure.file(let error, let file)
      where file != .document || error.operation != .open
    {
      throw StoreProblems(.notOpened(error, file), path: path)
    }
  }

  /// Throws if there is a journal with saves, which means that a store existed.
  private static func checkJournal(
    without path: String, _ files: FileOperations
  ) throws(StoreProblems) {
    guard try PathKind(path) == .nothing, let place = try? StorePlace(path: path, files) else {
      return
    }
    // A journal that cannot be read may have saves.
    guard (try? place.journalHasSaves(CancelFlag())) ?? true else { return }
    throw StoreProblems(.failure(.journalWithoutDocument), path: path)
  }

  /// Returns all notes, and why the store is read only.
  private func notes(_ notes: [KeepingNote], readOnly: ReadOnlyReason?) -> [Diagnostic] {
    let said = notes.map { diagnostic(.note($0), $0.severity) }
    guard let readOnly else { return said }
    guard keeper.options.dropsDamagedSave, case .damagedJournal = readOnly else {
      return said + [diagnostic(.readOnly(readOnly))]
    }
    return said + [diagnostic(.readOnly(readOnly)), diagnostic(.dropsOnlyLast, .note)]
  }
}

/// The kind of file that a path leads to.
private enum PathKind {
  case nothing, plainFile
  /// A pipe, a device, a folder.
  case other

  /// Throws if the kind cannot be determined. If that counted as “nothing”, a store would be read without its journal.
  init(_ path: String) throws(StoreProblems) {
    do throws(FileError) {
      self = try FileStatus(path: path).isRegular ? .plainFile : .other
    } catch {
      guard [ENOENT, ENOTDIR, ELOOP].contains(error.number) else {
        throw StoreProblems([Diagnostic(StoreProblem.notOpened(path, error.number))])
      }
      self = .nothing
    }
  }
}

extension StoreProblems {
  fileprivate init(_ event: KeepingMessage.Event, path: String) {
    self.init([Diagnostic(KeepingMessage(event, path: path))])
  }

  /// Converts an error of reading or writing a store to messages; nil for any other error.
  init?(keeping error: any Error, path: String) {
    switch error {
    case let problems as StoreProblems: self = problems
    case let failure as KeepingFailure: self.init([Diagnostic(failure.facts(path))])
    case let error as FileError:
      self.init([Diagnostic(StoreProblem.cannotWrite(path: path, errorNumber: error.number))])
    default: return nil
    }
  }
}

extension KeepingFailure {
  /// Returns why one of Kura's own files was not read or written, as a clause.
  func reason(_ path: String) -> String {
    switch self {
    case .file(let error, let file) where error.number == EFBIG:
      localized("it is larger than \(file.limit.megabytes) MB")
    case .file(let error, _) where error.number == ECANCELED: localized("it was interrupted")
    case .file(let error, _): KuraStore.reason(error.number)
    default: facts(path).sentence
    }
  }

  fileprivate func facts(_ path: String) -> any DiagnosticFacts {
    switch self {
    case .file(let error, .document) where error.operation == .open:
      StoreProblem.notOpened(path, error.number)
    case .exists: StoreProblem.exists(path: path)
    default: KeepingMessage(.failure(self), path: path)
    }
  }
}

package struct StoreSaveRequest {
  /// The complete contents to write.
  package var contents: StoreContents
  /// The changes since the last save. Nil rewrites the document, because the model, saved requests,
  /// the zone or `userInfo` changed, which a change set does not describe.
  package var change: ChangeSet?

  package init(_ contents: StoreContents, _ change: ChangeSet?) {
    self.contents = contents
    self.change = change
  }
}

package struct StoreSaveResult {
  /// The contents on the disk: the given contents, or the rebased ones.
  package var contents: StoreContents
  /// Whether saves of other processes were merged.
  package var tookInOthers: Bool
  /// Warnings that do not concern what was saved.
  package var warnings: [Diagnostic]
  /// The reason why the history lacks the save, if it does.
  package var historyRefusal: SidecarProblem?
}

/// A format in which stores are never written, named by a file's extension.
///
///     OtherFormat(path: "todo.sqlite")?.name    // "SQLite"
package struct OtherFormat: Sendable, Hashable {
  package let name: String
  /// The path with a store's extension instead.
  package let jsonPath: String

  /// Returns nil if the extension names JSON or no known format.
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
