import KuraJSON

/// The content of `STORE.journal`: the saves since the document was written.
///
/// A journal is text with a line for each record. `Documentation/StoreFormat.md` describes its format.
struct Journal: Sendable {
  /// The document that the first record builds on; nil if the first line is incomplete.
  var base: DocumentName?
  /// The complete records, from the first on.
  var records: [JournalRecord] = []
  /// The offset after the last complete record, or after the first line; otherwise 0.
  var end = 0
  /// The check of the last complete line, which the next record names.
  var lastCheck: UInt64 = 0
  var tail = Tail.clean
  /// The number of the record before the first of these.
  private var numberBefore: Int64 = 0

  /// The bytes after the last complete record.
  enum Tail: Sendable, Equatable {
    case clean
    /// An incomplete record: its save was never reported as done.
    case torn
    /// A record with a wrong checksum; 0 is the first line.
    case damaged(record: Int64, isLast: Bool)
  }
}

/// One line of a journal.
struct JournalRecord: Sendable {
  var number: Int64
  var check: UInt64
  /// The offset at which its line begins.
  var start: Int
  var content: Content

  enum Content: Sendable {
    /// A save's changes, as JSON.
    case change([UInt8])
    /// The document was rewritten under this name, with everything before this record.
    case fold(DocumentName)
  }

  /// The changes of a save; nil for a fold.
  var change: [UInt8]? { if case .change(let bytes) = content { bytes } else { nil } }
}

extension Journal {
  var isEmpty: Bool { base == nil }

  var lastNumber: Int64 { records.last?.number ?? numberBefore }

  /// The check of the last record that is a change.
  var lastChange: UInt64? {
    records.last { $0.change != nil }?.check
  }

  /// Returns the records that a document lacks; nil if the journal does not belong to it.
  func records(missingIn document: DocumentName) -> ArraySlice<JournalRecord>? {
    let folds = records.lastIndex { if case .fold(document) = $0.content { true } else { false } }
    if let folds { return records[(folds + 1)...] }
    return base == document ? records[...] : nil
  }

  /// Returns whether a fold record names the document, which means that the fold was not finished.
  func hasFold(to document: DocumentName) -> Bool {
    records.contains { if case .fold(document) = $0.content { true } else { false } }
  }

  var withoutLast: Journal {
    var journal = self
    guard let last = journal.records.popLast() else { return self }
    journal.end = last.start
    return journal
  }

  /// Reads the records up to the first incomplete line; throws if the first line names the version of a newer Kura.
  init(reading bytes: [UInt8]) throws(KeepingFailure) {
    guard !bytes.isEmpty else { return }
    guard let head = JournalHead(bytes[...]), let base = try head.base,
      bytes[safe: head.length] == UInt8(ascii: "\n")
    else {
      tail = bytes.tail(from: 0, record: 0)
      return
    }
    self.base = base
    lastCheck = head.check
    end = head.length + 1
    readRecords(bytes)
  }

  /// Reads what follows the known end of a journal; an empty journal has its first line there.
  init(reading bytes: [UInt8], after last: KnownJournal) throws(KeepingFailure) {
    guard !last.isEmpty else {
      self = try Journal(reading: bytes)
      return
    }
    (lastCheck, numberBefore) = (last.lastCheck, last.lastNumber)
    readRecords(bytes)
  }

  /// Reads the records from `end` on.
  private mutating func readRecords(_ bytes: [UInt8]) {
    while end < bytes.count {
      guard let (record, next) = bytes.record(at: end, number: lastNumber + 1, after: lastCheck)
      else {
        tail = bytes.tail(from: end, record: lastNumber + 1)
        return
      }
      records.append(record)
      lastCheck = record.check
      end = next
    }
  }
}

extension JournalHead {
  /// The document that a first line names.
  fileprivate var base: DocumentName? {
    get throws(KeepingFailure) {
      guard case .number(let version)? = members["journal"]?.kind else { return nil }
      guard version == String(JournalLine.version) else {
        throw .unknownJournal(version: version)
      }
      return DocumentName(members)
    }
  }
}

extension [UInt8] {
  fileprivate subscript(safe i: Int) -> UInt8? { indices.contains(i) ? self[i] : nil }

  /// Returns the record at an offset and the offset after it, if every bit is unchanged.
  fileprivate func record(
    at start: Int, number: Int64, after previous: UInt64
  ) -> (JournalRecord, next: Int)? {
    guard let head = JournalHead(self[start...]), head["record"]?.integer == number,
      head["previous"]?.string == previous.hexadecimal, let length = head["length"]?.integer,
      length >= 0, length < count - start - head.length - 1,
      case let first = start + head.length + 1, case let last = first + Int(length),
      self[first - 1] == UInt8(ascii: " "), self[last] == UInt8(ascii: "\n"),
      case let content = Array(self[first..<last]),
      head["checksum"]?.string == UInt64(checksumOf: content).hexadecimal,
      let kind = JournalRecord.Content(content, after: number - 1)
    else { return nil }
    let record = JournalRecord(number: number, check: head.check, start: start, content: kind)
    return (record, last + 1)
  }

  /// Returns what an incomplete or damaged line means.
  fileprivate func tail(from start: Int, record: Int64) -> Journal.Tail {
    let isLast = !hasHead(after: start)
    if isLast, isShort(from: start) || hasUnwrittenSector(from: start) { return .torn }
    return .damaged(record: record, isLast: isLast)
  }

  /// Returns whether a line with an intact head begins after an offset.
  private func hasHead(after start: Int) -> Bool {
    var place = start
    while let lineFeed = self[place...].firstIndex(of: UInt8(ascii: "\n")), lineFeed + 1 < count {
      place = lineFeed + 1
      if JournalHead(self[place...]) != nil { return true }
    }
    return false
  }

  /// Returns whether the bytes end before their line does.
  private func isShort(from start: Int) -> Bool {
    if let head = JournalHead(self[start...]) {
      let after = count - start - head.length
      guard let length = head["length"]?.integer else { return after == 0 }
      return length >= 0 && length >= after - 1
    }
    // The head itself was cut: both its end and the line's end are missing.
    let rest = self[start...]
    return rest.count < JournalLine.headLimit && !rest.contains(UInt8(ascii: "}"))
      && !rest.contains(UInt8(ascii: "\n"))
      && JournalLine.starts.contains { form in
        zip(form.utf8, rest).allSatisfy { $0 == $1 }
      }
  }

  /// Returns whether a sector of the disk, or its part within these bytes, is all zero.
  ///
  /// A journal has no zero byte: such a sector did not reach the disk before power was lost.
  private func hasUnwrittenSector(from start: Int) -> Bool {
    var place = start
    while place < count {
      let next = Swift.min((place / 512 + 1) * 512, count)
      if self[place..<next].allSatisfy({ $0 == 0 }) { return true }
      place = next
    }
    return false
  }
}

extension JournalRecord.Content {
  /// Returns nil for a fold in another form, or one that does not include all records before it.
  fileprivate init?(_ bytes: [UInt8], after last: Int64) {
    guard bytes.starts(with: #"{"fold": "#.utf8) else {
      self = .change(bytes)
      return
    }
    guard let fold = (try? JSONNode(reading: bytes))?["fold"], let name = DocumentName(fold),
      fold["includes"]?.integer == last
    else { return nil }
    self = .fold(name)
  }
}
