import KuraBytes

extension JournaledDocument {
  /// Returns the contents that were saved last, with the records that other processes have appended
  /// since; nil if the whole store must be read because of other changes.
  ///
  /// Linear in the new records, regardless of the size of the document. For a first record, the
  /// name of the document in its journal is computed once.
  func followed(from saved: Contents) throws(KeepingFailure) -> LoadedDocument<Contents>? {
    guard mayFollow, let (journal, known) = try newRecords(), try isDocumentUntouched(),
      !journal.records.isEmpty, let changes = journal.onlyChanges
    else { return nil }
    var followed = LoadedDocument(contents: saved, known: known)
    for change in changes {
      // After nil, the caller reads the whole store, which reports the problem of a record.
      guard !options.cancel.isRequested,
        (try? form.apply(change, &followed.contents) == nil) == true
      else { return nil }
    }
    return followed
  }

  /// Whether the files are known to have been read or written completely.
  private var mayFollow: Bool {
    guard let journal = known.journal else { return isTrusted }
    return isTrusted && !journal.hasTail && !journal.hasUnfinishedFold
  }

  private var isTrusted: Bool { !mustFold && unacknowledged == nil && readOnly?.lacksSaves != true }

  /// Returns the records after the known ones, each of which names the one before; nil if they do
  /// not continue the known ones or are incomplete.
  private func newRecords() throws(KeepingFailure) -> (journal: Journal, known: KnownFiles)? {
    let last = known.journal ?? KnownJournal(status: known.document)
    guard let found = try place.readJournal(from: last.end, options.cancel),
      let journal = try? Journal(reading: found.bytes, after: last), journal.tail == .clean
    else { return nil }
    var next = known
    if let base = journal.base {
      guard (try? documentName(&next)) == base else { return nil }
    }
    next.journal = last.adding(journal, found.status)
    return (journal, next)
  }
}

extension Journal {
  /// The changes of its records; nil if one of them is a fold.
  fileprivate var onlyChanges: [[UInt8]]? {
    let changes = records.compactMap(\.change)
    return changes.count == records.count ? changes : nil
  }
}

extension KnownJournal {
  /// Returns the same journal with records that were read from its end on.
  fileprivate func adding(_ journal: Journal, _ status: FileStatus) -> KnownJournal {
    var result = self
    result.status = status
    result.lastStart = end + Int64(journal.records.last?.start ?? 0)
    result.end += Int64(journal.end)
    result.checks += journal.records.map(\.check)
    result.lastChange = journal.lastChange ?? lastChange
    result.isNeeded = true
    return result
  }
}

extension JournaledDocument {
  /// Creates a document, or replaces an existing one if `replaces` is set, and opens it for saving.
  ///
  /// An existing document is not read; its journal is folded like any other.
  package static func make(
    _ contents: Contents, at place: StorePlace, replaces: Bool, _ form: DocumentForm<Contents>,
    _ options: KeepingOptions, waiting: (LockHolder?) throws -> Void = { _ in }
  ) throws -> JournaledDocument {
    let lock = options.takesLock ? try StoreLock(place, like: nil, waiting: waiting) : nil
    defer { withExtendedLifetime(lock) {} }
    let access = DocumentAccess(place: place, form: form, options: options)
    guard try place.status(of: .document) != nil else { return try access.begin(contents) }
    guard replaces else { throw KeepingFailure.exists }
    return try access.replace(contents)
  }

  /// Rewrites the document with all saves if it was removed, and continues with it; returns false
  /// if the document exists.
  ///
  /// The old journal is not needed any more if it is the known one.
  package func remake(
    _ contents: Contents, waiting: (LockHolder?) throws -> Void = { _ in }
  ) throws -> Bool {
    if let readOnly { throw KeepingFailure.readOnly(readOnly) }
    let lock = options.takesLock ? try StoreLock(place, like: nil, waiting: waiting) : nil
    defer { withExtendedLifetime(lock) {} }
    guard try place.status(of: .document) == nil else { return false }
    guard try isJournalOurs else { throw KeepingFailure.journalWithoutDocument }
    known = try access.put(contents)
    try place.removeJournals()
    (journalIsClosed, nameIsUncertain, unacknowledged) = (false, false, nil)
    namesAreSynced = true
    return true
  }

  /// Whether only this process has saved to the journal.
  private var isJournalOurs: Bool {
    get throws {
      guard try place.journalHasSaves(options.cancel) else { return true }
      let status = try place.status(of: .journal)
      guard let status, let journal = known.journal else { return status == nil }
      return status.isUntouched(since: journal.status)
    }
  }
}

extension DocumentAccess {
  /// Replaces a document without reading it.
  fileprivate func replace(_ contents: Contents) throws -> JournaledDocument<Contents> {
    var blind = self
    blind.form.read = { _, _ in contents }
    blind.form.apply = { _, _ in nil }
    blind.form.repair = { _ in nil }
    let loaded = try blind.load(isUnderLock: true)
    var known = loaded.known
    // If document and journal do not belong together, a fold must not keep the journal.
    if loaded.readOnly != nil { known.journal?.end = 0 }
    let keeper = JournaledDocument(self, known)
    try keeper.fold(contents, in: &keeper.known)
    return keeper
  }

  /// Creates the first document of a place.
  fileprivate func begin(_ contents: Contents) throws -> JournaledDocument<Contents> {
    guard try !place.journalHasSaves(options.cancel) else {
      throw KeepingFailure.journalWithoutDocument
    }
    try place.removeJournals()
    let keeper = JournaledDocument(self, try put(contents))
    keeper.namesAreSynced = true
    return keeper
  }

  /// Creates a document, and returns when its name is on the disk.
  fileprivate func put(_ contents: Contents) throws -> KnownFiles {
    try place.removeFromDisk(.temporary)
    let file = try place.open(.temporary, .fresh, mode: 0o666)
    do {
      let next = try NewDocument(contents, form, in: file)
      try place.rename(.temporary, to: .document)
      let known = next.inPlace()
      try place.syncNames()
      return known
    } catch {
      try? place.remove(.temporary)
      throw error
    }
  }
}

extension StorePlace {
  /// Removes the journals of an earlier document, which have become meaningless.
  fileprivate func removeJournals() throws(KeepingFailure) {
    try removeFromDisk(.journal)
    try removeFromDisk(.newJournal)
  }

  /// Removes a file; it is gone from the disk when this returns.
  fileprivate func removeFromDisk(_ file: StoreFile) throws(KeepingFailure) {
    if try removeIfThere(file) { try syncNames() }
  }
}

extension JournaledDocument {
  /// Opens a document and applies the records of its journal.
  ///
  /// Acquires no lock. Throws the errors of reading, and `KeepingFailure`.
  package static func open(
    _ place: StorePlace, _ form: DocumentForm<Contents>, _ options: KeepingOptions
  ) throws -> (keeper: JournaledDocument, contents: Contents, notes: [KeepingNote]) {
    let access = DocumentAccess(place: place, form: form, options: options)
    let loaded = try access.load()
    let keeper = JournaledDocument(access, loaded.known)
    keeper.readOnly = loaded.readOnly ?? keeper.obstacle(loaded.known)
    return (keeper, loaded.contents, loaded.notes)
  }

  /// Returns the obstacle to a save, if any, so that it is reported when the store is opened.
  private func obstacle(_ known: KnownFiles) -> ReadOnlyReason? {
    if known.document.links > 1 { return .hardLinks(known.document.links) }
    if let journal = known.journal, journal.status.links > 1 {
      return .journalLinks(journal.status.links)
    }
    if let number = refusal(try place.checkWritable(.folder)) { return .folderNotWritable(number) }
    if let number = refusal(try place.checkWritable(.document)) {
      return .documentNotWritable(number)
    }
    guard options.takesLock else { return nil }
    return refusal(try known.file.checkLocks()).map { .noLocks($0) }
  }

  /// Returns the error number of a check that the system refused.
  private func refusal(_ check: @autoclosure () throws(KeepingFailure) -> Void) -> Int32? {
    do throws(KeepingFailure) {
      try check()
      return nil
    } catch {
      return error.number
    }
  }

  /// Loads the contents on the disk; throws if a save cannot build on them.
  func loadWritable(underLock: Bool = false) throws -> LoadedDocument<Contents> {
    let fresh = try access.load(isUnderLock: underLock)
    if let reason = fresh.readOnly { throw KeepingFailure.readOnly(reason) }
    return fresh
  }

  /// Returns whether the files are unchanged: their inodes, sizes, times, and the last checksum.
  ///
  /// Throws if the document does not exist any more.
  func isUnchanged() throws(KeepingFailure) -> Bool {
    let document = try place.status(of: .document)
    let journal = try place.status(of: .journal)
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
    let file = try place.open(.journal, .reading)
    let head = try file.read(at: last.lastStart, upTo: JournalLine.headLimit)
    return JournalHead(head[...])?.check == last.lastCheck
  }

  /// Returns whether the only change is the record of our own failed save, which could not be cut off.
  private func hasOnlyOurRest() throws(KeepingFailure) -> Bool {
    guard let found = try place.readJournal(options.cancel),
      let journal = try? Journal(reading: found.bytes)
    else { return false }
    let number = known.journal?.lastNumber ?? 0
    return switch journal.lastNumber {
    case number: journal.tail == .torn || journal.tail == .clean
    case number + 1: journal.records.last?.check == unacknowledged
    default: false
    }
  }

  /// Saves, and returns when the save outlasts a loss of power.
  ///
  /// If other processes saved since, `rebase` receives the contents of the disk and returns the
  /// contents to save on top of them. If it throws, nothing was written. `waiting` is called
  /// repeatedly while another process saves.
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
    var next = fresh.known
    var result = try keep(rebase(fresh.contents), in: &next)
    known = next
    result.tookInOthers = true
    return result
  }

  /// Reads the saves of other processes; returns false if there are none.
  ///
  /// If `saved` has the contents that were saved last, only the journal's new records are read if possible. If `adopt`
  /// throws, the keeper continues as if nothing had been read. If saves are missing on the disk, this throws the reason
  /// without calling `adopt`, because memory has the last copy.
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
    return try StoreLock(place, like: known.file, waiting: waiting)
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
        // The save succeeded, whether or not this does.
        do { try fold(request.contents, in: &known) } catch { result.foldFailure = error }
      }
    } else {
      try fold(request.contents, in: &known)
    }
    if let note = request.note { note(before, state(&known)) }
    return result
  }

  /// Returns whether the journal stays within the size limit for reading if this record is added.
  func hasRoom(for record: [UInt8], _ known: KnownFiles) -> Bool {
    let lines = Int64(record.count + 3 * JournalLine.headLimit)
    return (known.journal?.end ?? 0) + lines <= Int64(FileLimit.journal.bytes)
  }

  private func isTimeToFold(_ known: KnownFiles) -> Bool {
    guard let journal = known.journal, !isLeftToOwner else { return false }
    return journal.end > options.journalLimit && journal.end > known.document.size / 4
  }
}

/// What is left of a journal after another program removed saves from it.
struct JournalRest {
  /// Nil if the whole journal was removed.
  var journal: KnownJournal?
}

extension JournaledDocument {
  /// Returns the rest of the journal, if known saves were removed from it and no process saved.
  ///
  /// A fold replaces our document before it removes the journal: if our document is still in place after the journal
  /// was read, there was no fold. Nil also for damage, which reading the store reports better.
  func journalRest() throws(KeepingFailure) -> JournalRest? {
    guard let last = known.journal, last.isNeeded else { return nil }
    let found = try place.readJournal(options.cancel)
    guard try isDocumentUntouched() else { return nil }
    guard let found else { return JournalRest() }
    guard let journal = try? Journal(reading: found.bytes), isReadable(journal.tail),
      try isCut(last, journal)
    else { return nil }
    return JournalRest(journal: KnownJournal(journal, found.status))
  }

  /// Whether memory has saves that are no longer in a file.
  var isJournalLost: Bool {
    get throws { try !isUnchanged() && journalRest() != nil }
  }

  func isDocumentUntouched() throws(KeepingFailure) -> Bool {
    try place.status(of: .document)?.isUntouched(since: known.document) ?? false
  }

  private func isReadable(_ tail: Journal.Tail) -> Bool {
    switch tail {
    case .clean, .torn: true
    case .damaged(_, let isLast): isLast && options.dropsDamagedSave
    }
  }

  /// Returns whether known records are missing, and no saves replace them.
  private func isCut(_ last: KnownJournal, _ journal: Journal) throws(KeepingFailure) -> Bool {
    let common = zip(last.checks, journal.records).prefix { $0 == $1.check }.count
    guard common < last.checks.count else { return false }
    let hasOthers = journal.records[common...].contains { $0.change != nil }
    if hasOthers { throw .readOnly(.anotherJournal) }
    return true
  }

  /// Rewrites the document from memory, which has the saves of the journal.
  func restore(_ contents: Contents, _ rest: JournalRest) throws -> SaveResult<Contents> {
    var next = known
    next.journal = rest.journal
    namesAreSynced = false
    try fold(contents, in: &next)
    known = next
    return SaveResult(contents: contents, restoredJournal: true)
  }
}
