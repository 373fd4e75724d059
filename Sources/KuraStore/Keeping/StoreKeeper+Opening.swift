import Foundation
package import KuraBytes
import KuraDiagnostics

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
