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
    // A name that a dead fold left may not be on the disk yet, and our record builds on it.
    if journal.hasUnfinishedFold { try syncNames() }
    let line = JournalLine.record(
      journal.lastNumber + 1, content, previous: journal.lastCheck)
    try add(line, to: file, in: &known)
  }

  /// Opens a journal that has records, without what stands unfinished behind them.
  func openJournal(_ journal: KnownJournal, in known: inout KnownFiles) throws -> OpenFile {
    let file = try place.open(place.journal, as: .journal, .writing, files)
    if journal.hasTail {
      try on(.journal) { () throws(FileError) in
        try files.truncate(file.descriptor, journal.end)
        try files.sync(file.descriptor)
      }
    }
    known.journal?.status = try status(file)
    return file
  }

  /// Writes a line at the journal's known end and waits until it is on the disk.
  func add(_ line: JournalLine.Written, to file: OpenFile, in known: inout KnownFiles) throws {
    guard var journal = known.journal else { return }
    do {
      try on(.journal) { () throws(FileError) in
        try write(line, to: file, at: journal.end)
        try syncOnce(file, isNew: journal.isEmpty)
      }
    } catch {
      cutBack(file, line, in: &known)
      throw error
    }
    journal.lastStart = journal.end + Int64(line.lastStart)
    journal.checks.append(line.check)
    journal.end += Int64(line.count)
    // It is kept, whatever the system says now; at worst it is read again before the next save.
    journal.status = (try? files.status(file.descriptor)) ?? journal.status
    known.journal = journal
  }

  private func write(
    _ line: JournalLine.Written, to file: OpenFile, at place: Int64
  ) throws(FileError) {
    var place = place
    for part in [line.bytes, line.content, line.end] where !part.isEmpty {
      try files.writeAll(file.descriptor, part, at: place)
      place += Int64(part.count)
    }
  }

  /// After a failed sync nobody knows what is on the disk: it is never asked again of this file.
  ///
  /// Of a new file the owner and the mode are to be on the disk, too.
  func syncOnce(_ file: OpenFile, isNew: Bool = false) throws(FileError) {
    do throws(FileError) {
      if isNew { try files.syncWhole(file.descriptor) } else { try files.sync(file.descriptor) }
    } catch {
      journalIsClosed = true
      throw error
    }
  }

  /// Takes back what of a line was written.
  func cutBack(_ file: OpenFile, _ line: JournalLine.Written, in known: inout KnownFiles) {
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

extension JournaledDocument {
  /// Begins a journal with a first record.
  func begin(_ content: [UInt8], in known: inout KnownFiles) throws {
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
    let (cached, advance) = (known.cachedName, known.nameInAdvance)
    let (name, status) = try on(.document) { () throws(FileError) in
      let early = cached == nil ? try advance?.name() : cached
      return (
        early == nil ? try files.documentName(file, options.cancel) : early, try files.status(file)
      )
    }
    guard let name, status.isUntouched(since: known.document) else { throw .documentReplaced }
    known.name = name
    return name
  }

  private func createJournal(in known: inout KnownFiles) throws(KeepingFailure) -> OpenFile {
    namesAreSynced = false
    let file = try createJournal(place.journal, as: .journal, known)
    known.journal = KnownJournal(status: try status(file))
    return file
  }

  /// A new file that whoever reads or writes the document may read or write, or none.
  func createJournal(
    _ name: String, as kind: StoreFile, _ known: KnownFiles
  ) throws(KeepingFailure) -> OpenFile {
    let (file, rights) = try createFresh(name, as: kind, known)
    guard rights.keepsOwner || rights.keepsAccess else {
      try? files.remove(place.folder, name)
      throw .ownerLockedOut(owner: known.document.owner)
    }
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
