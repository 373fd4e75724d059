import KuraBytes

/// What came of being asked to fold.
package enum FoldOutcome: Sendable {
  case folded
  /// There is no journal.
  case nothingToFold
  /// Others saved since: what they saved is to be read first.
  case othersSaved
  /// Others are saving at this moment, and it was not to be waited for.
  case busy
  /// A new document would not be its owner's any more, which was said before.
  case leftToOwner
}

private struct LockIsTaken: Error {}

/// A document whose content is on the disk, and not yet in its place.
private struct NewDocument {
  var file: OpenFile
  var name: DocumentName
  var status: FileStatus
}

extension JournaledDocument {
  /// Writes the document anew and takes the journal away; `contents` is what was saved last.
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
      // Where that is refused the history has a gap here, and says so.
      try? history.noteFold(from: before, to: after)
    }
    return .folded
  }

  /// Folds at a clean end, if the document is small and nobody else is at it.
  package func close(_ contents: Contents) throws -> FoldOutcome {
    guard readOnly == nil, try known.document.size < options.documentLimit || isJournalLost else {
      return .nothingToFold
    }
    if isLeftToOwner { return .leftToOwner }
    do {
      return try fold(contents) { _ in throw LockIsTaken() }
    } catch is LockIsTaken {
      return .busy
    } catch KeepingFailure.file(_, .lock), KeepingFailure.strangeFile(.lock, _) {
      // Whatever is wrong with it, it is said when something is to be saved.
      return .busy
    }
  }

  /// The steps of a fold, under the lock.
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
    removeLeftover(place.newJournal, as: .newJournal)
  }

  /// A journal without records would not belong to the new document either.
  private func removeEmptyJournal(in known: inout KnownFiles) throws(KeepingFailure) {
    guard known.journal?.isEmpty ?? true,
      try place.check(place.journal, as: .journal, files)
    else { return }
    try on(.journal) { () throws(FileError) in
      namesAreSynced = false
      try files.remove(place.folder, place.journal)
    }
    try syncNames()
    known.journal = nil
    forgetFailure()
  }

  /// The journal that could not be trusted is gone.
  private func forgetFailure() {
    journalIsClosed = false
    unacknowledged = nil
  }

  /// Removes a file that was left over, if Kura wrote it.
  private func removeLeftover(_ name: String, as file: StoreFile) {
    guard (try? place.check(name, as: file, files)) == true else { return }
    try? files.remove(place.folder, name)
  }

  private func removeTemporary() { removeLeftover(place.temporary, as: .temporary) }

  /// Writes `STORE.new` and waits until its content is on the disk.
  private func writeTemporary(
    _ contents: Contents, _ known: KnownFiles
  ) throws -> NewDocument {
    let (file, rights) = try createFresh(place.temporary, as: .temporary, known)
    do {
      guard rights.keepsOwner else {
        isLeftToOwner = true
        throw KeepingFailure.ownerNotKept(owner: known.document.owner)
      }
      let name = try form.write(contents, to: file, files)
      return try on(.temporary) { () throws(FileError) in
        try files.syncWhole(file.descriptor)
        return NewDocument(file: file, name: name, status: try files.status(file.descriptor))
      }
    } catch {
      removeTemporary()
      throw error
    }
  }

  /// A file of its own, never one that was there: that may be a document still, where power is lost.
  func createFresh(
    _ name: String, as kind: StoreFile, _ known: KnownFiles
  ) throws(KeepingFailure) -> (file: OpenFile, rights: KeptRights) {
    if try place.check(name, as: kind, files) {
      try on(kind) { () throws(FileError) in try files.remove(place.folder, name) }
    }
    // Nobody else may read it before it is known who may.
    let file = try place.open(name, as: kind, .fresh, mode: 0o600, files)
    return (file, files.copyAttributes(known.file.descriptor, file.descriptor))
  }
}

extension JournaledDocument {
  /// Names the new document in the journal: whichever of the two is found, it is known what it has.
  private func addFold(_ name: DocumentName, in known: inout KnownFiles) throws {
    guard let journal = known.journal else { return }
    let content = JournalLine.fold(name, includes: journal.lastNumber)
    let line = JournalLine.record(journal.lastNumber + 1, content, previous: journal.lastCheck)
    guard !journalIsClosed else { return try copyJournal(adding: line, in: &known) }
    try add(line, to: openJournal(journal, in: &known), in: &known)
  }

  /// Writes what is known of the journal to a new file, for this one cannot be trusted.
  private func copyJournal(adding line: JournalLine.Written, in known: inout KnownFiles) throws {
    guard let journal = known.journal else { return }
    let old = try place.open(place.journal, as: .journal, .reading, files)
    let whole = try on(.journal) { () throws(FileError) in
      Array(try files.readAll(old.descriptor, .journal).prefix(Int(journal.end)))
    }
    let file = try createJournal(place.newJournal, as: .newJournal, known)
    var next = known
    next.journal?.end = 0
    try add(line.behind(whole), to: file, in: &next)
    namesAreSynced = false
    try on(.journal) { () throws(FileError) in
      try files.rename(place.folder, place.newJournal, place.journal)
    }
    try syncNames()
    known = next
    forgetFailure()
  }

  /// Puts the new document in the place of the one we know, and of no other.
  private func replaceDocument(_ known: KnownFiles) throws(KeepingFailure) {
    try checkDocument(place.document, known)
    namesAreSynced = false
    // The old document is to be removed, also after a crash, which leaves it under the other name.
    let mark = files.mark(known.file.descriptor)
    files.setMark(known.file.descriptor, StoreFile.temporaryMark)
    do throws(KeepingFailure) { try exchangeDocuments(known) } catch {
      if let mark { files.setMark(known.file.descriptor, mark) }
      throw error
    }
  }

  private func exchangeDocuments(_ known: KnownFiles) throws(KeepingFailure) {
    let isExchanged = try on(.document) { () throws(FileError) in
      if try files.exchange(place.folder, place.temporary, place.document) { return true }
      try files.rename(place.folder, place.temporary, place.document)
      return false
    }
    guard isExchanged else { return }
    do { try checkDocument(place.temporary, known) } catch {
      try on(.document) { () throws(FileError) in
        _ = try files.exchange(place.folder, place.temporary, place.document)
      }
      throw error
    }
  }

  private func checkDocument(_ name: String, _ known: KnownFiles) throws(KeepingFailure) {
    let status = try on(.document) { () throws(FileError) in
      try files.statusOfName(place.folder, name)
    }
    guard let status, status.isUntouched(since: known.document) else { throw .documentReplaced }
  }

  /// The new document is the one we know; nothing is built on it before its name is on the disk.
  private func adopt(
    _ next: NewDocument, in known: inout KnownFiles
  ) throws(KeepingFailure) {
    nameIsUncertain = true
    files.setMark(next.file.descriptor, next.name.mark(next.status))
    known.file = next.file
    known.name = next.name
    known.nameInAdvance = nil
    known.document = next.status
    known.journal?.hasUnfinishedFold = true
    known.journal?.isNeeded = false
    try syncNames()
    nameIsUncertain = false
  }

  /// The document alone is the store. A journal that stays says that it has nothing more.
  private func removeOldFiles(in known: inout KnownFiles) {
    removeTemporary()
    guard known.journal != nil else { return }
    namesAreSynced = false
    guard (try? files.remove(place.folder, place.journal)) != nil else { return }
    known.journal = nil
    try? syncNames()
  }
}
