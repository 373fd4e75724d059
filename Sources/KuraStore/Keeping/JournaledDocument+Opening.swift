extension JournaledDocument {
  /// Opens a document with what its journal has beyond it.
  ///
  /// Takes no lock. Throws what reading throws, and `KeepingFailure`.
  package static func open(
    _ place: StorePlace, _ files: FileOperations, _ form: DocumentForm<Contents>,
    _ options: KeepingOptions
  ) throws -> (keeper: JournaledDocument, contents: Contents, notes: [KeepingNote]) {
    let loaded = try StoreLoading(place: place, files: files, form: form, options: options).load()
    let keeper = JournaledDocument(place, files, form, options, loaded.known)
    keeper.readOnly = loaded.readOnly ?? keeper.obstacle(loaded.known)
    return (keeper, loaded.contents, loaded.notes)
  }

  /// What would keep the first save from its work is said before it.
  private func obstacle(_ known: KnownFiles) -> ReadOnlyReason? {
    if known.document.links > 1 { return .hardLinks(known.document.links) }
    if let journal = known.journal, journal.status.links > 1 {
      return .journalLinks(journal.status.links)
    }
    if let number = refusal({ () throws(FileError) in try files.checkWritable(place.folder, ".") })
    {
      return .folderNotWritable(number)
    }
    if let number = refusal({ () throws(FileError) in
      try files.checkWritable(place.folder, place.document)
    }) {
      return .documentNotWritable(number)
    }
    guard options.takesLock else { return nil }
    return refusal { () throws(FileError) in try files.checkLocks(known.file.descriptor) }
      .map { .noLocks($0) }
  }

  private func refusal(_ check: () throws(FileError) -> Void) -> Int32? {
    do throws(FileError) {
      try check()
      return nil
    } catch {
      return error.number
    }
  }

  /// What the disk has, if it can be built on.
  func loadWritable(underLock: Bool = false) throws -> LoadedDocument<Contents> {
    let fresh = try load(underLock: underLock)
    if let reason = fresh.readOnly { throw KeepingFailure.readOnly(reason) }
    return fresh
  }

  private func load(underLock: Bool) throws -> LoadedDocument<Contents> {
    var loading = StoreLoading(place: place, files: files, form: form, options: options)
    loading.isUnderLock = underLock
    return try loading.load()
  }

  /// Whether the files are as we know them: their inodes, sizes, times, and the last checksum.
  ///
  /// Throws where there is no document any more.
  func isUnchanged() throws(KeepingFailure) -> Bool {
    let (document, journal) = try on(.document) { () throws(FileError) in
      (
        try files.statusOfName(place.folder, place.document),
        try files.statusOfName(place.folder, place.journal)
      )
    }
    guard let document else { throw .documentGone }
    guard document.isUntouched(since: known.document) else { return false }
    if unacknowledged != nil, try hasOnlyOurRest() { return true }
    guard let journal, let last = known.journal else {
      return journal == nil && known.journal == nil
    }
    guard journal.isUntouched(since: last.status) else { return false }
    return last.isEmpty ? true : try hasLastLine(last)
  }

  private func hasLastLine(_ last: KnownJournal) throws(KeepingFailure) -> Bool {
    let file = try place.open(place.journal, as: .journal, .reading, files)
    let head = try on(.journal) { () throws(FileError) in
      try files.read(file.descriptor, at: last.lastStart, upTo: JournalLine.headLimit)
    }
    return JournalHead(head[...])?.check == last.lastCheck
  }

  /// Whether nothing is new but the record of our own save that failed and could not be cut off.
  private func hasOnlyOurRest() throws(KeepingFailure) -> Bool {
    guard let found = try place.readJournal(files, options.cancel),
      let journal = try? Journal(reading: found.bytes)
    else { return false }
    let number = known.journal?.lastNumber ?? 0
    return switch journal.lastNumber {
    case number: journal.tail == .torn || journal.tail == .clean
    case number + 1: journal.records.last?.check == unacknowledged
    default: false
    }
  }
}
