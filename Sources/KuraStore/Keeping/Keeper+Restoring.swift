/// What is left of a journal of which saves are gone.
struct JournalRest {
  /// Nil: the whole of it was taken away.
  var journal: KnownJournal?
}

extension Keeper {
  /// What is left of the journal, if saves that we know of were taken from it and nobody saved.
  ///
  /// A fold puts another document in the place of ours before it takes the journal away: where
  /// ours is still there after the journal was read, it was no fold. Nil too for damage, which
  /// reading the store says better.
  func journalRest() throws(KeepingFailure) -> JournalRest? {
    guard let last = known.journal, last.isNeeded else { return nil }
    let found = try place.readJournal(files)
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

  private func isDocumentUntouched() throws(KeepingFailure) -> Bool {
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
    let hasOthers = journal.records[common...].contains {
      if case .change = $0.content { true } else { false }
    }
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
