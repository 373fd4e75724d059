extension JournaledDocument {
  /// Writes a document where there was none, or with `replaces` in the place of one, and keeps it.
  ///
  /// What stands there is not read; a journal beside it is folded away like any other.
  package static func make(
    _ contents: Contents, at place: StorePlace, replaces: Bool, _ files: FileOperations,
    _ form: DocumentForm<Contents>, _ options: KeepingOptions,
    waiting: (LockHolder?) throws -> Void = { _ in }
  ) throws -> JournaledDocument {
    let lock =
      options.takesLock ? try StoreLock(place, files, like: nil, waiting: waiting) : nil
    defer { withExtendedLifetime(lock) {} }
    let making = StoreMaking(place: place, files: files, form: form, options: options)
    let isThere = try on(.document) { () throws(FileError) in
      try files.statusOfName(place.folder, place.document) != nil
    }
    if isThere, !replaces { throw KeepingFailure.exists }
    return isThere ? try making.replace(contents) : try making.begin(contents)
  }
}

extension JournaledDocument {
  /// Writes the document anew where it was taken away, with all that was saved, and goes on with
  /// it; false where one is there.
  ///
  /// The journal beside it is needed no more, if it is the one that we know.
  package func remake(
    _ contents: Contents, waiting: (LockHolder?) throws -> Void = { _ in }
  ) throws -> Bool {
    if let readOnly { throw KeepingFailure.readOnly(readOnly) }
    let lock = options.takesLock ? try StoreLock(place, files, like: nil, waiting: waiting) : nil
    defer { withExtendedLifetime(lock) {} }
    guard try !hasDocument else { return false }
    guard try isJournalOurs else { throw KeepingFailure.journalWithoutDocument }
    let making = StoreMaking(place: place, files: files, form: form, options: options)
    known = try making.put(contents)
    try making.removeLeftovers()
    (journalIsClosed, nameIsUncertain, unacknowledged) = (false, false, nil)
    namesAreSynced = true
    return true
  }

  private var hasDocument: Bool {
    get throws {
      try on(.document) { () throws(FileError) in
        try files.statusOfName(place.folder, place.document) != nil
      }
    }
  }

  /// Whether nobody has saved into the journal but us.
  private var isJournalOurs: Bool {
    get throws {
      guard try place.journalHasSaves(files, options.cancel) else { return true }
      let status = try on(.journal) { () throws(FileError) in
        try files.statusOfName(place.folder, place.journal)
      }
      guard let status, let journal = known.journal else { return status == nil }
      return status.isUntouched(since: journal.status)
    }
  }
}

/// Puts a document in its place, whatever is there.
private struct StoreMaking<Contents> {
  let place: StorePlace
  let files: FileOperations
  let form: DocumentForm<Contents>
  let options: KeepingOptions
}

extension StoreMaking {
  func replace(_ contents: Contents) throws -> JournaledDocument<Contents> {
    var blind = form
    blind.read = { _, _ in contents }
    blind.apply = { _, _ in nil }
    blind.mend = { _ in nil }
    var loading = StoreLoading(place: place, files: files, form: blind, options: options)
    loading.isUnderLock = true
    let loaded = try loading.load()
    var known = loaded.known
    // A fold of what does not belong together would keep a journal that is about nothing.
    if loaded.readOnly != nil { known.journal?.end = 0 }
    let keeper = JournaledDocument(place, files, form, options, known)
    try keeper.fold(contents, in: &keeper.known)
    return keeper
  }

  func begin(_ contents: Contents) throws -> JournaledDocument<Contents> {
    guard try !place.journalHasSaves(files, options.cancel) else {
      throw KeepingFailure.journalWithoutDocument
    }
    try removeLeftovers()
    let keeper = JournaledDocument(place, files, form, options, try put(contents))
    keeper.namesAreSynced = true
    return keeper
  }

  /// Takes away what stands beside a document, and says nothing any more.
  func removeLeftovers() throws(KeepingFailure) {
    try removeIfThere(place.journal, as: .journal)
    try removeIfThere(place.newJournal, as: .newJournal)
  }

  /// Writes a document where there is none, and returns when its name is on the disk.
  func put(_ contents: Contents) throws -> KnownFiles {
    try removeIfThere(place.temporary, as: .temporary)
    let file = try place.open(place.temporary, as: .temporary, .fresh, mode: 0o666, files)
    do {
      let known = try write(contents, to: file)
      try on(.document) { () throws(FileError) in
        try files.rename(place.folder, place.temporary, place.document)
      }
      if let name = known.name { files.setMark(file.descriptor, name.mark(known.document)) }
      try on(.folder) { () throws(FileError) in try files.syncFolder(place.folder) }
      return known
    } catch {
      try? files.remove(place.folder, place.temporary)
      throw error
    }
  }

  private func write(_ contents: Contents, to file: OpenFile) throws -> KnownFiles {
    let name = try form.write(contents, to: file, files)
    return try on(.temporary) { () throws(FileError) in
      try files.syncWhole(file.descriptor)
      let status = try files.status(file.descriptor)
      return KnownFiles(file: file, document: status, name: name)
    }
  }

  /// What is left over is gone when this returns.
  private func removeIfThere(_ name: String, as file: StoreFile) throws(KeepingFailure) {
    guard try place.check(name, as: file, files) else { return }
    try on(.folder) { () throws(FileError) in
      try files.remove(place.folder, name)
      try files.syncFolder(place.folder)
    }
  }
}
