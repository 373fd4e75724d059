extension Keeper {
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
    if let rest = try journalRest() { return try restore(request.contents, rest) }
    let fresh = try loadWritable(underLock: true)
    var files = fresh.known
    var result = try keep(rebase(fresh.contents), in: &files)
    known = files
    result.tookInOthers = true
    return result
  }

  /// Reads what others saved since; false if nobody did.
  ///
  /// If `adopt` throws, the keeper goes on as if it had not been read. Where the disk has no more
  /// all that was saved, its reason is thrown, and `adopt` is not called: memory is the last copy.
  package func refresh(_ adopt: (Contents, [KeepingNote]) throws -> Void) throws -> Bool {
    guard try !isUnchanged() else { return false }
    guard try journalRest() == nil else { throw KeepingFailure.journalTakenAway }
    let fresh = try loadWritable()
    try adopt(fresh.contents, fresh.notes)
    known = fresh.known
    return true
  }

  func lock(_ waiting: (LockHolder?) throws -> Void) throws -> StoreLock? {
    guard options.takesLock else { return nil }
    return try StoreLock(place, files, like: known.file, waiting: waiting)
  }

  private func keep(
    _ request: SaveRequest<Contents>, in known: inout KnownFiles
  ) throws -> SaveResult<Contents> {
    var result = SaveResult(contents: request.contents)
    guard let record = request.record, !mustFold else {
      try fold(request.contents, in: &known)
      return result
    }
    try append(record, in: &known)
    known.journal?.isNeeded = true
    if isTimeToFold(known) {
      // What was saved is kept whether this succeeds or not.
      do { try fold(request.contents, in: &known) } catch { result.foldFailure = error }
    }
    return result
  }

  private func isTimeToFold(_ known: KnownFiles) -> Bool {
    guard let journal = known.journal else { return false }
    return journal.end > options.journalLimit && journal.end > known.document.size / 4
  }
}

extension Keeper {
  private func append(_ content: [UInt8], in known: inout KnownFiles) throws {
    guard let journal = known.journal, !journal.isEmpty else {
      return try begin(content, in: &known)
    }
    let file = try openJournal(journal, in: &known)
    // A name that a dead fold left may not be on the disk yet, and our record builds on it.
    if journal.hasUnfinishedFold { try syncNames() }
    let line = JournalLine.record(
      journal.lastNumber + 1, content, previous: journal.lastCheck)
    try add(line, to: file, in: &known)
  }

  /// Opens a journal that has records, without what stands unfinished behind them.
  func openJournal(_ journal: KnownJournal, in known: inout KnownFiles) throws -> OpenFile {
    let file = try on(.journal) { () throws(FileError) in
      let file = OpenFile(try files.open(place.folder, place.journal, .writing, 0), files)
      guard journal.hasTail else { return file }
      try files.truncate(file.descriptor, journal.end)
      try files.sync(file.descriptor)
      return file
    }
    known.journal?.status = try status(file)
    return file
  }

  /// Writes a line at the journal's known end and waits until it is on the disk.
  func add(_ line: JournalLine.Written, to file: OpenFile, in known: inout KnownFiles) throws {
    guard var journal = known.journal else { return }
    do {
      try on(.journal) { () throws(FileError) in
        try files.writeAll(file.descriptor, line.bytes, at: journal.end)
        try syncOnce(file)
      }
    } catch {
      cutBack(file, line, in: &known)
      throw error
    }
    journal.lastStart = journal.end + Int64(line.lastStart)
    journal.checks.append(line.check)
    journal.end += Int64(line.bytes.count)
    // It is kept, whatever the system says now; at worst it is read again before the next save.
    journal.status = (try? files.status(file.descriptor)) ?? journal.status
    known.journal = journal
  }

  /// After a failed sync nobody knows what is on the disk: it is never asked again of this file.
  func syncOnce(_ file: OpenFile) throws(FileError) {
    do throws(FileError) { try files.sync(file.descriptor) } catch {
      journalIsClosed = true
      throw error
    }
  }

  /// Takes back what of a line was written.
  private func cutBack(_ file: OpenFile, _ line: JournalLine.Written, in known: inout KnownFiles) {
    let end = known.journal?.end ?? 0
    do {
      if journalIsClosed || !cutAndSync(file, end) {
        // One byte more than is whole: whoever goes on sees that something was not finished here,
        // and waits for a sync of his own, so that old and new sectors are never mixed.
        try files.truncate(file.descriptor, end + 1)
      }
      known.journal?.status = try files.status(file.descriptor)
    } catch {
      journalIsClosed = true
      unacknowledged = line.check
    }
  }

  private func cutAndSync(_ file: OpenFile, _ end: Int64) -> Bool {
    do {
      try files.truncate(file.descriptor, end)
      try syncOnce(file)
      return true
    } catch {
      return false
    }
  }

  func status(_ file: OpenFile) throws(KeepingFailure) -> FileStatus {
    try on(.journal) { () throws(FileError) in try files.status(file.descriptor) }
  }

  /// Makes sure that the names in the folder that we see are those on the disk.
  func syncNames() throws(KeepingFailure) {
    guard !namesAreSynced else { return }
    try on(.folder) { () throws(FileError) in try files.syncFolder(place.folder) }
    namesAreSynced = true
  }
}

extension Keeper {
  /// Begins a journal with a first record.
  private func begin(_ content: [UInt8], in known: inout KnownFiles) throws {
    let name = try documentName(&known)
    try syncDocument(known)
    let file = try createJournal(in: &known)
    do {
      try writeFirst(JournalLine.first(name), content, to: file, in: &known)
    } catch {
      // Where that fails too an empty journal is left, which says nothing.
      if (try? files.remove(place.folder, place.journal)) != nil {
        known.journal = nil
        unacknowledged = nil
      }
      namesAreSynced = false
      throw error
    }
  }

  /// What the journal is to build on must be on the disk itself, under its name.
  private func syncDocument(_ known: KnownFiles) throws(KeepingFailure) {
    try on(.document) { () throws(FileError) in try files.sync(known.file.descriptor) }
    try syncNames()
  }

  /// H(D) of the document that is known, and of nothing that was written into it since.
  func documentName(_ known: inout KnownFiles) throws(KeepingFailure) -> DocumentName {
    if let name = known.name { return name }
    let file = known.file.descriptor
    let advance = known.nameInAdvance
    let (name, status) = try on(.document) { () throws(FileError) in
      let early = try advance?.name()
      return (early == nil ? try files.documentName(file) : early, try files.status(file))
    }
    guard let name, status.isUntouched(since: known.document) else { throw .documentReplaced }
    known.name = name
    return name
  }

  private func createJournal(in known: inout KnownFiles) throws(KeepingFailure) -> OpenFile {
    let mode = known.document.mode & 0o666
    let file = try on(.journal) { () throws(FileError) in
      OpenFile(try files.open(place.folder, place.journal, .creating, mode), files)
    }
    namesAreSynced = false
    files.copyAttributes(known.file.descriptor, file.descriptor)
    var journal = KnownJournal(status: try status(file))
    if journal.hasTail {
      try on(.journal) { () throws(FileError) in
        try files.truncate(file.descriptor, 0)
        try files.sync(file.descriptor)
      }
      journal.status = try status(file)
    }
    known.journal = journal
    return file
  }

  /// The first line and the first record are written as one.
  private func writeFirst(
    _ first: JournalLine.Written, _ content: [UInt8], to file: OpenFile,
    in known: inout KnownFiles
  ) throws {
    let record = JournalLine.record(1, content, previous: first.check).behind(first.bytes)
    let empty = known.journal
    try add(record, to: file, in: &known)
    do { try syncNames() } catch {
      known.journal = empty
      cutBack(file, record, in: &known)
      throw error
    }
  }
}
