import Dispatch
import KuraBytes
import Synchronization

/// It does not know the document's contents: `DocumentForm` reads, writes and changes them.
package final class JournaledDocument<Contents> {
  let access: DocumentAccess<Contents>
  package internal(set) var readOnly: ReadOnlyReason?
  var known: KnownFiles
  /// Whether a write or sync of the journal failed, so that the state of the disk is unknown.
  var journalIsClosed = false
  /// Whether the document was renamed and the new name may not be on the disk.
  var nameIsUncertain = false
  /// The check of a line that may be in the journal though its save failed.
  var unacknowledged: UInt64?
  /// Whether a fold would change the owner of the document.
  var isLeftToOwner = false
  /// Whether all names of the folder that we rely on outlast a loss of power.
  var namesAreSynced = false

  init(_ access: DocumentAccess<Contents>, _ known: KnownFiles) {
    self.access = access
    self.known = known
  }

  package var place: StorePlace { access.place }
  var form: DocumentForm<Contents> { access.form }
  var options: KeepingOptions { access.options }

  /// Whether the next save must write new files instead of a record.
  var mustFold: Bool { journalIsClosed || nameIsUncertain }
}

/// The contents of the disk at one moment.
struct LoadedDocument<Contents> {
  var contents: Contents
  var known: KnownFiles
  var readOnly: ReadOnlyReason?
  var notes: [KeepingNote] = []
}

/// The known state of the files on the disk, to detect writes of other processes.
struct KnownFiles {
  /// The document, held open: if its name is reused, this is still what was read.
  var file: OpenFile
  var document: FileStatus
  /// H(D), once it has been computed.
  var name: DocumentName?
  /// H(D) of the document in this state, from a cache.
  var cachedName: DocumentName?
  /// The computation of H(D) in another thread.
  var nameInAdvance: PrecomputedName?
  /// Nil if there is no journal.
  var journal: KnownJournal?
}

extension KnownFiles {
  /// Returns H(D), which is computed once.
  mutating func documentName(_ cancel: CancelFlag) throws(KeepingFailure) -> DocumentName {
    if let name { return name }
    let early = cachedName == nil ? try nameInAdvance?.name() : cachedName
    let computed = if let early { early } else { try file.documentName(cancel) }
    name = computed
    return computed
  }
}

/// A journal as it was last read or written.
struct KnownJournal {
  var status: FileStatus
  /// The offset after the last complete record; 0 if no line is valid.
  var end: Int64 = 0
  /// The checks of its records; each record contains the previous check.
  var checks: [UInt64] = []
  /// The check of the last record that is a change.
  var lastChange: UInt64?
  /// The offset of the last line.
  var lastStart: Int64 = 0
  /// Whether an unfinished fold put the document in place.
  var hasUnfinishedFold = false
  /// Whether it has saves that the document lacks.
  var isNeeded = false

  var lastNumber: Int64 { Int64(checks.count) }
  var lastCheck: UInt64 { checks.last ?? 0 }
  /// Whether an incomplete line follows the last record.
  var hasTail: Bool { status.size > end }
  var isEmpty: Bool { end == 0 }
}

extension KnownJournal {
  init(_ journal: Journal, _ status: FileStatus) {
    self.status = status
    // A first line without records need not be kept.
    guard let last = journal.records.last else { return }
    end = Int64(journal.end)
    checks = journal.records.map(\.check)
    lastChange = journal.lastChange
    lastStart = Int64(last.start)
  }
}

/// H(D), computed by another thread before the first save.
final class PrecomputedName: Sendable {
  private let result = Mutex<Result<DocumentName, KeepingFailure>?>(nil)
  private let done = DispatchGroup()

  init(_ file: OpenFile) {
    done.enter()
    DispatchQueue.global(qos: .utility).async { [self] in
      let name = Result { () throws(KeepingFailure) in try file.documentName() }
      result.withLock { $0 = name }
      done.leave()
    }
  }

  /// Waits for the result.
  func name() throws(KeepingFailure) -> DocumentName? {
    done.wait()
    return try result.withLock { $0 }?.get()
  }
}

extension JournaledDocument {
  /// Begins to compute what the first save needs; to be called at the first change.
  ///
  /// Returns at once. Without it the first save reads the document once.
  package func prepareToSave() {
    let needsName = known.name == nil && known.journal?.isEmpty ?? true
    guard needsName, readOnly == nil, known.nameInAdvance == nil, known.cachedName == nil,
      Workers.canStartThreads
    else { return }
    known.nameInAdvance = PrecomputedName(known.file)
  }

  /// The name of the content that was read or saved last; nil if not known, as after the document was replaced.
  ///
  /// It consists of the names of the document and of all its records. The first call reads the document once.
  var state: String? { state(&known) }

  func state(_ known: inout KnownFiles) -> String? {
    if let change = known.journal?.lastChange { return change.hexadecimal }
    return (try? documentName(&known)).map { "\($0.hash.text) \($0.size)" }
  }
}

extension StoreKeeper {
  /// The name of the content that was read or saved last; nil if not known.
  package var state: String? { keeper.state }
}

extension JournaledDocument {
  func append(_ content: [UInt8], in known: inout KnownFiles) throws {
    try addChange(content, in: &known)
    let check = known.journal?.lastCheck
    known.journal?.lastChange = check
  }

  private func addChange(_ content: [UInt8], in known: inout KnownFiles) throws {
    guard let journal = known.journal, !journal.isEmpty else {
      return try begin(content, in: &known)
    }
    let file = try openJournal(journal, in: &known)
    // An unfinished fold's name may not be on the disk yet, and our record builds on it.
    if journal.hasUnfinishedFold { try syncNames() }
    let line = JournalLine.record(
      journal.lastNumber + 1, content, previous: journal.lastCheck)
    try add(line, to: file, in: &known)
  }

  /// Opens a journal that has records, and cuts off what is incomplete after them.
  func openJournal(_ journal: KnownJournal, in known: inout KnownFiles) throws -> OpenFile {
    let file = try place.open(.journal, .writing)
    if journal.hasTail {
      try file.truncate(to: journal.end)
      try file.sync()
    }
    known.journal?.status = try file.status
    return file
  }

  /// Writes a line at the journal's known end and waits until it is on the disk.
  func add(_ line: JournalLine.EncodedLine, to file: OpenFile, in known: inout KnownFiles) throws {
    guard var journal = known.journal else { return }
    do {
      try write(line, to: file, at: journal.end)
      try syncOnce(file, isNew: journal.isEmpty)
    } catch {
      cutBack(file, line, in: &known)
      throw error
    }
    journal.lastStart = journal.end + Int64(line.lastStart)
    journal.checks.append(line.check)
    journal.end += Int64(line.count)
    // The record is saved even if the status call fails; at worst the journal is read again before the next save.
    journal.status = (try? file.status) ?? journal.status
    known.journal = journal
  }

  private func write(
    _ line: JournalLine.EncodedLine, to file: OpenFile, at place: Int64
  ) throws(KeepingFailure) {
    var place = place
    for part in [line.bytes, line.content, line.end] where !part.isEmpty {
      try file.write(part, at: place)
      place += Int64(part.count)
    }
  }

  /// Syncs a file. After a failed sync the state of the disk is unknown, so the file is never synced again.
  ///
  /// For a new file the owner and the mode must be on the disk, too.
  func syncOnce(_ file: OpenFile, isNew: Bool = false) throws(KeepingFailure) {
    do throws(KeepingFailure) {
      if isNew { try file.syncWhole() } else { try file.sync() }
    } catch {
      journalIsClosed = true
      throw error
    }
  }

  /// Removes the part of a line that was written.
  func cutBack(_ file: OpenFile, _ line: JournalLine.EncodedLine, in known: inout KnownFiles) {
    let end = known.journal?.end ?? 0
    do {
      if journalIsClosed || !cutAndSync(file, end) {
        // One extra byte shows the next writer that a line was not finished here. That writer syncs
        // after cutting it off, so that old and new sectors are never mixed.
        try file.truncate(to: end + 1)
      }
      known.journal?.status = try file.status
    } catch {
      journalIsClosed = true
      unacknowledged = line.check
    }
  }

  private func cutAndSync(_ file: OpenFile, _ end: Int64) -> Bool {
    do {
      try file.truncate(to: end)
      try syncOnce(file)
      return true
    } catch {
      return false
    }
  }

  /// Ensures that the names in the folder are on the disk.
  func syncNames() throws(KeepingFailure) {
    guard !namesAreSynced else { return }
    try place.syncNames()
    namesAreSynced = true
  }

  /// Begins a journal with a first record.
  func begin(_ content: [UInt8], in known: inout KnownFiles) throws {
    let name = try documentName(&known)
    try syncDocument(known)
    let file = try createJournal(in: &known)
    do {
      try writeFirst(JournalLine.first(name), content, to: file, in: &known)
    } catch {
      // If that fails too, an empty journal is left, which has no meaning.
      if (try? place.remove(.journal)) != nil {
        known.journal = nil
        unacknowledged = nil
      }
      namesAreSynced = false
      throw error
    }
  }

  /// Syncs the document and its name, which the journal builds on.
  private func syncDocument(_ known: KnownFiles) throws(KeepingFailure) {
    try known.file.sync()
    try syncNames()
  }

  /// Returns H(D) of the known document; throws if the document was written since.
  func documentName(_ known: inout KnownFiles) throws(KeepingFailure) -> DocumentName {
    if let name = known.name { return name }
    let name = try known.documentName(options.cancel)
    guard try known.file.status.isUntouched(since: known.document) else {
      known.name = nil
      throw .documentReplaced
    }
    return name
  }

  private func createJournal(in known: inout KnownFiles) throws(KeepingFailure) -> OpenFile {
    namesAreSynced = false
    let file = try createJournal(.journal, known)
    known.journal = KnownJournal(status: try file.status)
    return file
  }

  /// Creates a file with the access rights of the document; throws if that is not possible.
  func createJournal(
    _ kind: StoreFile, _ known: KnownFiles
  ) throws(KeepingFailure) -> OpenFile {
    let (file, rights) = try place.create(kind, like: known.file)
    guard rights.keepsOwner || rights.keepsAccess else {
      try? place.remove(kind)
      throw .ownerLockedOut(owner: SystemCalls.userName(known.document.owner))
    }
    return file
  }

  /// Writes the first line and the first record at once.
  private func writeFirst(
    _ first: JournalLine.EncodedLine, _ content: [UInt8], to file: OpenFile,
    in known: inout KnownFiles
  ) throws {
    let record = JournalLine.record(1, content, previous: first.check).after(first.bytes)
    let empty = known.journal
    try add(record, to: file, in: &known)
    do { try syncNames() } catch {
      known.journal = empty
      cutBack(file, record, in: &known)
      throw error
    }
  }
}

package enum FoldOutcome: Sendable {
  case folded
  /// There is no journal.
  case nothingToFold
  /// Other processes saved since; their saves must be read first.
  case othersSaved
  /// Another process is saving, and the caller did not want to wait.
  case busy
  /// A new document would not belong to its owner, which was reported before.
  case leftToOwner
}

private struct LockIsTaken: Error {}

/// A document whose content is on the disk but which is not in place yet.
struct NewDocument {
  let file: OpenFile
  let name: DocumentName
  let status: FileStatus

  /// Writes contents to a new file, and returns when they are on the disk.
  init<Contents>(
    _ contents: Contents, _ form: DocumentForm<Contents>, in file: OpenFile
  ) throws {
    name = try form.write(contents, to: file)
    try file.syncWhole()
    status = try file.status
    self.file = file
  }

  /// Returns the known files after the document was put in place.
  func inPlace(_ journal: KnownJournal? = nil) -> KnownFiles {
    var file = file
    file.kind = .document
    file.setMark(name.mark(status))
    return KnownFiles(file: file, document: status, name: name, journal: journal)
  }
}

extension JournaledDocument {
  /// Rewrites the document and removes the journal; `contents` is what was saved last.
  package func fold(
    _ contents: Contents, waiting: (LockHolder?) throws -> Void = { _ in }
  ) throws -> FoldOutcome {
    if let readOnly { throw KeepingFailure.readOnly(readOnly) }
    guard known.journal != nil else { return .nothingToFold }
    let lock = try lock(waiting)
    defer { withExtendedLifetime(lock) {} }
    let before = history.isKept ? state : nil
    if try isUnchanged() {
      try fold(contents, in: &known)
    } else {
      guard let rest = try journalRest() else { return .othersSaved }
      _ = try restore(contents, rest)
    }
    if let before, let after = state, before != after {
      // If that fails, the history has a gap here and shows it.
      try? history.noteFold(from: before, to: after)
    }
    return .folded
  }

  /// Folds at a clean end, if the document is small and no other process uses it.
  package func close(_ contents: Contents) throws -> FoldOutcome {
    guard readOnly == nil, try known.document.size < options.documentLimit || isJournalLost else {
      return .nothingToFold
    }
    if isLeftToOwner { return .leftToOwner }
    do {
      return try fold(contents) { _ in throw LockIsTaken() }
    } catch is LockIsTaken {
      return .busy
    } catch KeepingFailure.file(_, .lock), KeepingFailure.invalidFile(.lock, _) {
      // Other problems are reported at the next save.
      return .busy
    }
  }

  /// Performs the steps of a fold, under the lock.
  func fold(_ contents: Contents, in known: inout KnownFiles) throws {
    try syncNames()
    try removeEmptyJournal(in: &known)
    let next = try writeTemporary(contents, known)
    do {
      try addFold(next.name, in: &known)
      try replaceDocument(known)
    } catch {
      removeTemporary()
      throw error
    }
    try adopt(next, in: &known)
    removeOldFiles(in: &known)
    _ = try? place.removeIfThere(.newJournal)
  }

  /// Removes a journal without records, which would not belong to the new document either.
  private func removeEmptyJournal(in known: inout KnownFiles) throws(KeepingFailure) {
    guard known.journal?.isEmpty ?? true, try place.has(.journal) else { return }
    namesAreSynced = false
    try place.remove(.journal)
    try syncNames()
    known.journal = nil
    forgetFailure()
  }

  /// Resets the flags after the journal that could not be trusted is gone.
  private func forgetFailure() {
    journalIsClosed = false
    unacknowledged = nil
  }

  private func removeTemporary() { _ = try? place.removeIfThere(.temporary) }

  /// Writes `STORE.new` and waits until its content is on the disk.
  private func writeTemporary(
    _ contents: Contents, _ known: KnownFiles
  ) throws -> NewDocument {
    let (file, rights) = try place.create(.temporary, like: known.file)
    do {
      guard rights.keepsOwner else {
        isLeftToOwner = true
        throw KeepingFailure.ownerNotPreserved(owner: SystemCalls.userName(known.document.owner))
      }
      return try NewDocument(contents, form, in: file)
    } catch {
      removeTemporary()
      throw error
    }
  }

  /// Adds the new document's name to the journal, so that the content of either document is known later.
  private func addFold(_ name: DocumentName, in known: inout KnownFiles) throws {
    guard let journal = known.journal else { return }
    let content = JournalLine.fold(name, includes: journal.lastNumber)
    let line = JournalLine.record(journal.lastNumber + 1, content, previous: journal.lastCheck)
    guard !journalIsClosed else { return try copyJournal(adding: line, in: &known) }
    try add(line, to: openJournal(journal, in: &known), in: &known)
  }

  /// Copies the known part of the journal to a new file, because this one cannot be trusted.
  private func copyJournal(adding line: JournalLine.EncodedLine, in known: inout KnownFiles) throws
  {
    guard let journal = known.journal else { return }
    let whole = try place.open(.journal, .reading).readAll().prefix(Int(journal.end))
    let file = try createJournal(.newJournal, known)
    var next = known
    next.journal?.end = 0
    try add(line.after(Array(whole)), to: file, in: &next)
    namesAreSynced = false
    try place.rename(.newJournal, to: .journal)
    try syncNames()
    known = next
    forgetFailure()
  }

  /// Replaces the known document with the new one; throws if another document is in its place.
  private func replaceDocument(_ known: KnownFiles) throws(KeepingFailure) {
    try checkDocument(.document, known)
    namesAreSynced = false
    // The old document is to be removed, even after a crash that leaves it under the other name.
    let mark = known.file.mark
    known.file.setMark(StoreFile.temporaryMark)
    do throws(KeepingFailure) { try exchangeDocuments(known) } catch {
      if let mark { known.file.setMark(mark) }
      throw error
    }
  }

  private func exchangeDocuments(_ known: KnownFiles) throws(KeepingFailure) {
    guard try place.exchange(.temporary, with: .document) else {
      return try place.rename(.temporary, to: .document)
    }
    do { try checkDocument(.temporary, known) } catch {
      _ = try place.exchange(.temporary, with: .document)
      throw error
    }
  }

  private func checkDocument(_ file: StoreFile, _ known: KnownFiles) throws(KeepingFailure) {
    guard let status = try place.status(of: file), status.isUntouched(since: known.document) else {
      throw .documentReplaced
    }
  }

  /// Makes the new document the known one; nothing builds on it before its name is on the disk.
  private func adopt(
    _ next: NewDocument, in known: inout KnownFiles
  ) throws(KeepingFailure) {
    nameIsUncertain = true
    known = next.inPlace(known.journal)
    known.journal?.hasUnfinishedFold = true
    known.journal?.isNeeded = false
    try syncNames()
    nameIsUncertain = false
  }

  /// Removes the old files. The document alone is complete, so a journal that remains is redundant.
  private func removeOldFiles(in known: inout KnownFiles) {
    removeTemporary()
    guard known.journal != nil else { return }
    namesAreSynced = false
    guard (try? place.remove(.journal)) != nil else { return }
    known.journal = nil
    try? syncNames()
  }
}
