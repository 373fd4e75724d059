import KuraBytes

extension JournaledDocument {
  /// What was saved last, with what others have added to its journal since; nil where something else
  /// has happened, and the whole is to be read again.
  ///
  /// Linear in the new records, without regard to the document; of a first record the document's name is
  /// worked out, once.
  func followed(from saved: Contents) throws(KeepingFailure) -> LoadedDocument<Contents>? {
    guard mayFollow, let (journal, known) = try newRecords(), try isDocumentUntouched(),
      !journal.records.isEmpty, let changes = journal.onlyChanges
    else { return nil }
    var followed = LoadedDocument(contents: saved, known: known)
    for change in changes {
      // Reading the whole says what is wrong with a record.
      guard !options.cancel.isRequested,
        (try? form.apply(change, &followed.contents) == nil) == true
      else { return nil }
    }
    return followed
  }

  /// Whether the files were read or written whole, and nothing of them is in doubt.
  private var mayFollow: Bool {
    guard let journal = known.journal else { return isTrusted }
    return isTrusted && !journal.hasTail && !journal.hasUnfinishedFold
  }

  private var isTrusted: Bool { !mustFold && unacknowledged == nil && readOnly?.lacksSaves != true }

  /// The records behind those that we know, each of which names the one before; nil where they do not
  /// go on there, or are not all whole.
  private func newRecords() throws(KeepingFailure) -> (journal: Journal, known: KnownFiles)? {
    let last = known.journal ?? KnownJournal(status: known.document)
    guard let found = try place.readJournal(files, from: last.end, options.cancel),
      let journal = try? Journal(reading: found.bytes, behind: last), journal.tail == .clean
    else { return nil }
    var files = known
    if let base = journal.base {
      guard (try? documentName(&files)) == base else { return nil }
    }
    files.journal = last.adding(journal, found.status)
    return (journal, files)
  }
}

extension Journal {
  /// What its records change; nil where one of them is a fold.
  fileprivate var onlyChanges: [[UInt8]]? {
    let changes = records.compactMap(\.change)
    return changes.count == records.count ? changes : nil
  }
}

extension KnownJournal {
  /// The same journal with records that were read from its end on.
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
