import KuraBytes
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
