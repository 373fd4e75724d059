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
