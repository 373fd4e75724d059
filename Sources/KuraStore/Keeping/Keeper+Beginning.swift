extension Keeper {
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
