import Foundation
package import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraSentences
import KuraValues

/// Reads and writes a document's content, and applies the records of its journal.
package struct DocumentForm<Contents> {
  /// Reads the open document.
  package var read: (StorePlace, OpenFile) throws -> Contents
  /// Writes the document, a piece at a time.
  package var write:
    (Contents, @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) throws -> Void
  /// Applies a record, and returns the first value that differs from the one that the record
  /// replaced. After an error the contents must not be used.
  package var apply: ([UInt8], inout Contents) throws -> String?
  /// Throws if reading a written document does not return the contents that were written.
  package var verify: (Contents, _ document: OpenFile) throws -> Void
  /// Updates what a manual edit of the document left out of date, and returns a note.
  package var repair: (inout Contents) -> KeepingNote?
  /// Returns H(D) of the document that was read last, if it is known without reading the document.
  package var knownName: () -> DocumentName? = { nil }

  package init(
    read: @escaping (StorePlace, OpenFile) throws -> Contents,
    write:
      @escaping (Contents, @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) throws ->
      Void,
    apply: @escaping ([UInt8], inout Contents) throws -> String?,
    verify: @escaping (Contents, _ document: OpenFile) throws -> Void,
    repair: @escaping (inout Contents) -> KeepingNote? = { _ in nil }
  ) {
    self.read = read
    self.write = write
    self.apply = apply
    self.verify = verify
    self.repair = repair
  }
}

/// The options of opening and saving a store.
package struct KeepingOptions: Sendable {
  /// False for `--no-lock`
  package var takesLock = true
  /// Whether a damaged last record is dropped, so that the store may be written.
  package var dropsDamagedSave = false
  /// The maximum time that a save waits for another process's lock; nil for no limit.
  package var lockTimeout: Duration?
  /// A journal larger than this, and than a quarter of the document, is folded after a save.
  package var journalLimit: Int64 = 4 << 20
  /// A smaller document is folded at a clean end.
  package var documentLimit: Int64 = 16 << 20
  /// Whether damaged plain JSON is repaired.
  package var isLenient = false
  /// Cancels reading or writing, as long as nothing of it is final.
  package var cancel = CancelFlag()
  /// The settings of the column cache; nil for no cache.
  package var cache: CacheSettings?

  package init() {}
}

package struct SaveRequest<Contents> {
  package var contents: Contents
  /// The changes since the last save; nil rewrites the document.
  package var record: [UInt8]?
  /// Called after the save, while the store is locked, with the names of the states before and after it.
  var note: ((_ before: String?, _ after: String?) -> Void)?

  package init(
    _ contents: Contents, record: [UInt8]?, note: ((String?, String?) -> Void)? = nil
  ) {
    self.contents = contents
    self.record = record
    self.note = note
  }
}

package struct SaveResult<Contents> {
  /// The saved contents: the request's contents, or the rebased ones.
  package var contents: Contents
  /// Whether saves of other processes were merged.
  package var tookInOthers = false
  /// Whether the journal had been removed, and its saves were written again.
  package var restoredJournal = false
  /// The reason why the journal was not folded; the save itself succeeded.
  package var foldFailure: (any Error)?
}

extension DocumentName {
  /// Returns the mark that is stored with a document: its hash, and when it was last written.
  func mark(_ status: FileStatus) -> String {
    "\(hash.text) \(status.seconds).\(status.nanoseconds)"
  }

  /// Returns whether a mark shows that the content changed although the file was not written since.
  func contradicts(_ mark: String, _ status: FileStatus) -> Bool {
    let now = self.mark(status)
    return mark.count == now.count && mark.dropFirst(32) == now.dropFirst(32) && mark != now
  }
}

extension FileStatus {
  /// Returns whether the document has not been written since it got its mark.
  func isUntouched(since mark: String) -> Bool { mark.hasSuffix(" \(seconds).\(nanoseconds)") }
}

extension DocumentForm {
  /// Writes the contents to a new file, reads the file back, and returns the name of its content.
  ///
  /// The file has the mark of a temporary one until it is in place.
  func write(_ contents: Contents, to file: OpenFile) throws -> DocumentName {
    file.setMark(StoreFile.temporaryMark)
    var hash = ContentHash()
    try write(contents) { (piece) throws(FileError) in
      try file.write(piece, at: Int64(hash.count))
      hash.add(piece)
    }
    try verify(contents, file)
    return DocumentName(hash)
  }
}

extension DocumentForm where Contents == StoreContents {
  /// Returns the form of stores, with documents and change sets.
  ///
  /// If cancelled, reading and writing fail with `ECANCELED`. With a cache, a document is read from
  /// the cache if possible.
  static func store(
    _ progress: WorkProgress = .none, _ cancel: CancelFlag = CancelFlag(),
    _ cache: StoreCache? = nil
  ) -> DocumentForm {
    var form = DocumentForm(
      read: { place, file in
        let reader = StoreReader(
          path: place.path, file: file.descriptor, progress: progress, cancel: cancel)
        return try cache?.read(place, file) { try reader.read() } ?? reader.read()
      },
      write: { store, put in
        try store.writeDocument { (bytes) throws(FileError) in
          if cancel.isRequested { throw FileError(.write, ECANCELED) }
          try put(bytes)
        }
      },
      apply: { bytes, store in
        let journaled = try JournaledChange(reading: bytes)
        let other = try store.graph.admit(journaled)
        store.news?.append(journaled.change)
        return other
      },
      verify: { store, file in
        try store.verify(StoreReader(path: "", file: file.descriptor, cancel: cancel))
      },
      repair: { store in store.repairDerivedValues() })
    if let cache { form.knownName = { cache.name } }
    return form
  }
}

extension StoreContents {
  /// Updates derived values, which a manual edit of the document leaves out of date.
  fileprivate mutating func repairDerivedValues() -> KeepingNote? {
    let zone = timeZoneID.flatMap { TimeZone(identifier: $0) }
    do throws(Diagnostic) {
      let change = try graph.repairDerivedValues(in: ZoneRules(zone))
      guard let first = change.updated.first else { return nil }
      let object = "\(first.entity)/\(first.numbers[0])"
      return .repairedDerived(
        "\(object).\(first.columns[0].key)", objects: change.counts.updated)
    } catch {
      return .underivable(reason: error.facts.sentence)
    }
  }

  /// Throws if reading a document that was written from this store returns another store.
  ///
  /// The loader reads the whole document; then models, zones, next numbers and the number of
  /// objects of each entity are compared.
  fileprivate func verify(_ reader: StoreReader) throws(KeepingFailure) {
    let again: StoreContents
    do throws(StoreProblems) { again = try reader.read() } catch {
      throw .notReadBack(
        reason: error.diagnostics.first?.facts.sentence ?? localized("it cannot be read"))
    }
    guard (try? again.withoutObjects) == (try? withoutObjects) else {
      throw .notReadBack(reason: localized("its model differs"))
    }
    guard again.graph.tables.elementsEqual(graph.tables, by: { $0.isAsFull(as: $1) }) else {
      throw .notReadBack(reason: localized("its objects differ"))
    }
  }

  /// The document without objects; equal models give equal bytes.
  var withoutObjects: [UInt8] {
    get throws(FileError) {
      var empty = self
      empty.graph = Graph(model: graph.model)
      return try empty.documentBytes
    }
  }
}

extension Table {
  /// Returns whether the table has the same objectIDs and at least the same next number.
  fileprivate func isAsFull(as other: Table) -> Bool {
    nextNumber >= other.nextNumber && liveCount == other.liveCount
      && liveNumberSum == other.liveNumberSum
  }

  private var liveNumberSum: Int64 {
    (0..<count).reduce(0) { isLive($1) ? $0 &+ identifiers[$1] : $0 }
  }
}
