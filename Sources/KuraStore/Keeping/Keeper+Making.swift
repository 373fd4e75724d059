extension Keeper {
  /// Writes a document where there was none, or with `replaces` in the place of one, and keeps it.
  ///
  /// What stands there is not read; a journal beside it is folded away like any other.
  package static func make(
    _ contents: Contents, at place: StorePlace, replaces: Bool, _ files: FileOperations,
    _ form: DocumentForm<Contents>, _ options: KeepingOptions,
    waiting: (LockHolder?) throws -> Void = { _ in }
  ) throws -> Keeper {
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

/// Puts a document in its place, whatever is there.
private struct StoreMaking<Contents> {
  let place: StorePlace
  let files: FileOperations
  let form: DocumentForm<Contents>
  let options: KeepingOptions
}

extension StoreMaking {
  func replace(_ contents: Contents) throws -> Keeper<Contents> {
    var blind = form
    blind.read = { _, _ in contents }
    blind.apply = { _, _ in }
    var loading = StoreLoading(place: place, files: files, form: blind, options: options)
    loading.isUnderLock = true
    let loaded = try loading.load()
    var known = loaded.known
    // A fold of what does not belong together would keep a journal that is about nothing.
    if loaded.readOnly != nil { known.journal?.end = 0 }
    let keeper = Keeper(place, files, form, options, known)
    try keeper.fold(contents, in: &keeper.known)
    return keeper
  }

  func begin(_ contents: Contents) throws -> Keeper<Contents> {
    guard try !place.journalHasSaves(files) else { throw KeepingFailure.journalWithoutDocument }
    try removeIfThere(place.temporary, as: .temporary)
    try removeIfThere(place.journal, as: .journal)
    try removeIfThere(place.newJournal, as: .newJournal)
    let file = try place.open(place.temporary, as: .temporary, .fresh, mode: 0o666, files)
    do {
      let known = try write(contents, to: file)
      try on(.document) { () throws(FileError) in
        try files.rename(place.folder, place.temporary, place.document)
      }
      try on(.folder) { () throws(FileError) in try files.syncFolder(place.folder) }
      let keeper = Keeper(place, files, form, options, known)
      keeper.namesAreSynced = true
      return keeper
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

  /// What is left over says nothing.
  private func removeIfThere(_ name: String, as file: StoreFile) throws(KeepingFailure) {
    guard try place.check(name, as: file, files) else { return }
    try on(.folder) { () throws(FileError) in
      try files.remove(place.folder, name)
      try files.syncFolder(place.folder)
    }
  }
}
