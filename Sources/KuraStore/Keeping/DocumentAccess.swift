import Foundation
import KuraBytes

/// A document with its journal on the disk, and how it is read and written.
struct DocumentAccess<Contents> {
  let place: StorePlace
  var form: DocumentForm<Contents>
  let options: KeepingOptions
}

extension DocumentAccess {
  /// Reads the document and its journal as they were at one moment, without a lock.
  ///
  /// Retries as long as other processes replace the files or have not finished a record. `isUnderLock` says that this
  /// process has the lock, so that no other writes.
  func load(isUnderLock: Bool = false) throws -> LoadedDocument<Contents> {
    for attempt in 0..<100 {
      let file = try place.open(.document, .reading)
      let status = try file.status
      let journal = try place.readJournal(options.cancel)
      let contents = Result { try form.read(place, file) }
      if try isStill(status, journal?.status) {
        var known = KnownFiles(file: file, document: status)
        known.cachedName = form.knownName()
        let result = try loaded(contents.get(), known, journal)
        let isUnfinished = result.notes.contains(.droppedUnfinishedSave)
        guard isUnfinished, attempt < 20, !isUnderLock, place.isBeingWritten else {
          return result
        }
      }
      place.files.pause()
    }
    throw KeepingFailure.filesKeepChanging
  }

  /// Returns whether both names still lead to the files that were read.
  private func isStill(
    _ document: FileStatus, _ journal: FileStatus?
  ) throws(KeepingFailure) -> Bool {
    let documentNow = try place.status(of: .document)
    let journalNow = try place.status(of: .journal)
    guard let documentNow, documentNow.isUntouched(since: document) else { return false }
    guard let journal, let journalNow else { return journal == nil && journalNow == nil }
    return journalNow.isSameFile(as: journal)
  }

  /// Returns the contents with the saves of the journal, and as Kura would have written them.
  private func loaded(
    _ contents: Contents, _ known: KnownFiles, _ journal: (bytes: [UInt8], status: FileStatus)?
  ) throws -> LoadedDocument<Contents> {
    var result = try joined(contents, known, journal)
    if mayBeEdited(known), let note = form.repair(&result.contents) { result.notes.append(note) }
    return result
  }

  /// Returns whether another program may have written the document last. A large document is
  /// trusted, because checking it would take as long as reading it.
  private func mayBeEdited(_ known: KnownFiles) -> Bool {
    guard known.document.size < options.documentLimit else { return false }
    return known.file.mark.map { !known.document.isUntouched(since: $0) } ?? true
  }

  /// Returns the contents with the saves of the journal that they lack.
  private func joined(
    _ contents: Contents, _ known: KnownFiles, _ journal: (bytes: [UInt8], status: FileStatus)?
  ) throws -> LoadedDocument<Contents> {
    var result = LoadedDocument(contents: contents, known: known)
    if known.file.mark != nil, known.document.size < options.documentLimit {
      _ = try result.known.documentName(options.cancel)
    }
    checkMark(&result)
    guard let journal else { return result }
    let read = try Journal(reading: journal.bytes)
    judge(read.tail, &result)
    try join(read, journal.status, &result)
    return result
  }

  /// Applies the records that the document lacks.
  private func join(
    _ journal: Journal, _ status: FileStatus, _ result: inout LoadedDocument<Contents>
  ) throws {
    result.known.journal = KnownJournal(journal, status)
    guard !journal.records.isEmpty else { return }
    let name = try result.known.documentName(options.cancel)
    checkMark(&result)
    result.known.journal?.hasUnfinishedFold = journal.hasFold(to: name)
    guard let missing = journal.records(missingIn: name) else {
      result.readOnly = .journalOfOtherDocument
      return
    }
    result.known.journal?.isNeeded = missing.contains { $0.change != nil }
    guard let strange = try replay(missing, &result) else { return }
    // A record that does not fit may be half applied. The document is read again, and the other records are applied.
    result.contents = try form.read(place, result.known.file)
    let isLast = strange == journal.lastNumber && result.readOnly == nil
    if isLast, options.dropsDamagedSave {
      result.notes.append(.droppedDamagedSave)
      return try join(journal.withoutLast, status, &result)
    }
    result.readOnly = .damagedJournal(record: strange, isLast: isLast)
    _ = try replay(missing.prefix { $0.number < strange }, &result)
  }

  /// Reports that a document changed though no program has written it since Kura did. Edits are
  /// allowed, and a large document is not read a second time for this.
  private func checkMark(_ result: inout LoadedDocument<Contents>) {
    guard let name = result.known.name, !result.notes.contains(.damagedDocument),
      let mark = result.known.file.mark, name.contradicts(mark, result.known.document)
    else { return }
    result.notes.append(.damagedDocument)
  }

  private func judge(_ tail: Journal.Tail, _ result: inout LoadedDocument<Contents>) {
    switch tail {
    case .clean: return
    case .torn: result.notes.append(.droppedUnfinishedSave)
    case .damaged(_, isLast: true) where options.dropsDamagedSave:
      result.notes.append(.droppedDamagedSave)
    case .damaged(let record, let isLast):
      result.readOnly = .damagedJournal(record: record, isLast: isLast)
    }
  }

  /// Applies records up to the first that does not fit, and returns that record's number.
  private func replay(
    _ records: ArraySlice<JournalRecord>, _ result: inout LoadedDocument<Contents>
  ) throws -> Int64? {
    for record in records {
      if options.cancel.isRequested { throw KeepingFailure.stopped(reading: .journal) }
      guard let change = record.change else { continue }
      do {
        guard let place = try form.apply(change, &result.contents) else { continue }
        note(.otherOldValue(record: record.number, place), &result)
      } catch {
        if let reason = (error as? InvalidRecord)?.reason {
          note(.invalidRecord(record.number, reason: reason), &result)
        }
        return record.number
      }
    }
    return nil
  }

  private func note(_ note: KeepingNote, _ result: inout LoadedDocument<Contents>) {
    if !result.notes.contains(note) { result.notes.append(note) }
  }
}
