/// What `STORE.journal` holds: the saves since the document was written.
///
/// A journal is text, a line for each record; `Documentation/StoreFormat.md` has its form.
struct Journal: Sendable {
  /// The document that the first record builds on; nil while there is no whole first line.
  var base: DocumentName?
  /// The whole records from the first on.
  var records: [JournalRecord] = []
  /// Behind the last whole record, or behind the first line; 0 without one.
  var end = 0
  /// The check of the last whole line, which the next record names.
  var lastCheck: UInt64 = 0
  var tail = Tail.clean

  /// What stands behind the last whole record.
  enum Tail: Sendable, Equatable {
    case clean
    /// A record whose writing was cut short: nobody was told that it is kept.
    case torn
    /// A record with a wrong checksum; 0 is the first line.
    case damaged(record: Int64, isLast: Bool)
  }
}

/// One line of a journal.
struct JournalRecord: Sendable {
  var number: Int64
  var check: UInt64
  /// Where its line begins.
  var start: Int
  var content: Content

  enum Content: Sendable {
    /// What a save changed, as JSON.
    case change([UInt8])
    /// The document was written anew, under this name, with everything before this record.
    case fold(DocumentName)
  }
}

/// What a journal says that Kura cannot know.
enum JournalFault: Error, Equatable {
  /// The first line names a version that a newer Kura writes.
  case unknownVersion(String)
}

extension Journal {
  var isEmpty: Bool { base == nil }

  var lastNumber: Int64 { records.last?.number ?? 0 }

  /// The changes that a document lacks; nil if the journal does not belong to it.
  func changes(missingIn document: DocumentName) -> [[UInt8]]? {
    let folds = records.lastIndex { if case .fold(document) = $0.content { true } else { false } }
    if let folds { return changes(in: records[(folds + 1)...]) }
    return base == document ? changes(in: records[...]) : nil
  }

  /// Whether a fold record names the document: whoever folded did not come to the end of it.
  func hasFold(to document: DocumentName) -> Bool {
    records.contains { if case .fold(document) = $0.content { true } else { false } }
  }

  private func changes(in records: ArraySlice<JournalRecord>) -> [[UInt8]] {
    records.compactMap { if case .change(let bytes) = $0.content { bytes } else { nil } }
  }
}
