/// What a keeper knows of the files on the disk, to see whether somebody else wrote.
struct KnownFiles {
  /// The document, held open: whatever takes its name, this is what was read.
  var file: OpenFile
  var document: FileStatus
  /// H(D), once it was needed.
  var name: DocumentName?
  /// Where it is being worked out.
  var nameInAdvance: NameInAdvance?
  /// Nil: there is none.
  var journal: KnownJournal?
}

/// A journal as it was read or written last.
struct KnownJournal {
  var status: FileStatus
  /// Behind the last whole record; 0 where nothing in it counts.
  var end: Int64 = 0
  /// The checks of its records, of which each has the one before in it.
  var checks: [UInt64] = []
  /// Where the last line begins.
  var lastStart: Int64 = 0
  /// The document was put in its place by a fold that did not come to its end.
  var hasUnfinishedFold = false
  /// Whether it has saves that the document lacks.
  var isNeeded = false

  var lastNumber: Int64 { Int64(checks.count) }
  var lastCheck: UInt64 { checks.last ?? 0 }
  /// Whether something unfinished stands behind the last record.
  var hasTail: Bool { status.size > end }
  var isEmpty: Bool { end == 0 }
}

extension KnownJournal {
  init(_ journal: Journal, _ status: FileStatus) {
    self.status = status
    // A first line alone says nothing that is worth keeping.
    guard let last = journal.records.last else { return }
    end = Int64(journal.end)
    checks = journal.records.map(\.check)
    lastStart = Int64(last.start)
  }
}
