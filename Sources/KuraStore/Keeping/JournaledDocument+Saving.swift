import KuraBytes

extension JournaledDocument {
  /// Saves, and returns when it outlasts a loss of power.
  ///
  /// If others saved since, `rebase` is given what the disk has now and returns what is to be
  /// saved on top of it, or throws; then nothing was written. `waiting` is called, again and
  /// again, while somebody else saves.
  package func save(
    _ request: SaveRequest<Contents>, waiting: (LockHolder?) throws -> Void = { _ in },
    rebase: (Contents) throws -> SaveRequest<Contents>
  ) throws -> SaveResult<Contents> {
    if let readOnly { throw KeepingFailure.readOnly(readOnly) }
    let lock = try lock(waiting)
    defer { withExtendedLifetime(lock) {} }
    guard try !isUnchanged() else { return try keep(request, in: &known) }
    if let rest = try journalRest() {
      let before = request.note.flatMap { _ in state }
      let result = try restore(request.contents, rest)
      request.note?(before, state)
      return result
    }
    let fresh = try loadWritable(underLock: true)
    var files = fresh.known
    var result = try keep(rebase(fresh.contents), in: &files)
    known = files
    result.tookInOthers = true
    return result
  }

  /// Reads what others saved since; false if nobody did.
  ///
  /// If it is said what was `saved` last, no more than the journal's new records is read where that
  /// is enough. If `adopt` throws, the keeper goes on as if it had not been read. Where the disk has no
  /// more all that was saved, its reason is thrown, and `adopt` is not called: memory is the last copy.
  package func refresh(
    from saved: Contents? = nil, _ adopt: (Contents, [KeepingNote]) throws -> Void
  ) throws -> Bool {
    guard try !isUnchanged() else { return false }
    let fresh = try saved.flatMap { try followed(from: $0) } ?? readAgain()
    try adopt(fresh.contents, fresh.notes)
    known = fresh.known
    return true
  }

  private func readAgain() throws -> LoadedDocument<Contents> {
    guard try journalRest() == nil else { throw KeepingFailure.journalTakenAway }
    return try loadWritable()
  }

  func lock(_ waiting: (LockHolder?) throws -> Void) throws -> StoreLock? {
    guard options.takesLock else { return nil }
    return try StoreLock(place, files, like: known.file, waiting: waiting)
  }

  private func keep(
    _ request: SaveRequest<Contents>, in known: inout KnownFiles
  ) throws -> SaveResult<Contents> {
    let before = request.note.flatMap { _ in state(&known) }
    var result = SaveResult(contents: request.contents)
    if let record = request.record, !mustFold, hasRoom(for: record, known) {
      try append(record, in: &known)
      known.journal?.isNeeded = true
      if isTimeToFold(known) {
        // What was saved is kept whether this succeeds or not.
        do { try fold(request.contents, in: &known) } catch { result.foldFailure = error }
      }
    } else {
      try fold(request.contents, in: &known)
    }
    if let note = request.note { note(before, state(&known)) }
    return result
  }

  /// Whether a journal with this record in it would be read.
  func hasRoom(for record: [UInt8], _ known: KnownFiles) -> Bool {
    let lines = Int64(record.count + 3 * JournalLine.headLimit)
    return (known.journal?.end ?? 0) + lines <= Int64(FileLimit.journal.bytes)
  }

  private func isTimeToFold(_ known: KnownFiles) -> Bool {
    guard let journal = known.journal, !isLeftToOwner else { return false }
    return journal.end > options.journalLimit && journal.end > known.document.size / 4
  }
}

/// What is left of a journal of which saves are gone.
struct JournalRest {
  /// Nil: the whole of it was taken away.
  var journal: KnownJournal?
}

extension JournaledDocument {
  /// What is left of the journal, if saves that we know of were taken from it and nobody saved.
  ///
  /// A fold puts another document in the place of ours before it takes the journal away: where
  /// ours is still there after the journal was read, it was no fold. Nil too for damage, which
  /// reading the store says better.
  func journalRest() throws(KeepingFailure) -> JournalRest? {
    guard let last = known.journal, last.isNeeded else { return nil }
    let found = try place.readJournal(files, options.cancel)
    guard try isDocumentUntouched() else { return nil }
    guard let found else { return JournalRest() }
    guard let journal = try? Journal(reading: found.bytes), isReadable(journal.tail),
      try isCut(last, journal)
    else { return nil }
    return JournalRest(journal: KnownJournal(journal, found.status))
  }

  /// Whether memory has saves that are in no file any more.
  var isJournalLost: Bool {
    get throws { try !isUnchanged() && journalRest() != nil }
  }

  func isDocumentUntouched() throws(KeepingFailure) -> Bool {
    try on(.document) { () throws(FileError) in
      let status = try files.statusOfName(place.folder, place.document)
      return status?.isUntouched(since: known.document) ?? false
    }
  }

  private func isReadable(_ tail: Journal.Tail) -> Bool {
    switch tail {
    case .clean, .torn: true
    case .damaged(_, let isLast): isLast && options.dropsDamagedSave
    }
  }

  /// Whether records that we know are missing, and nothing was saved in their place.
  private func isCut(_ last: KnownJournal, _ journal: Journal) throws(KeepingFailure) -> Bool {
    let common = zip(last.checks, journal.records).prefix { $0 == $1.check }.count
    guard common < last.checks.count else { return false }
    let hasOthers = journal.records[common...].contains { $0.change != nil }
    if hasOthers { throw .readOnly(.anotherJournal) }
    return true
  }

  /// Writes the whole document from what is in memory, which has what the journal held.
  func restore(_ contents: Contents, _ rest: JournalRest) throws -> SaveResult<Contents> {
    var files = known
    files.journal = rest.journal
    namesAreSynced = false
    try fold(contents, in: &files)
    known = files
    return SaveResult(contents: contents, restoredJournal: true)
  }
}
