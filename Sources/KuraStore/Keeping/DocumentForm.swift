import Foundation
package import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraSentences
import KuraValues

/// How a document's content is read and written, and changed by what a journal holds.
package struct DocumentForm<Contents> {
  /// Reads the document, which is open under the descriptor.
  package var read: (StorePlace, Int32) throws -> Contents
  /// Writes the document, a piece at a time.
  package var write:
    (Contents, @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) throws -> Void
  /// Does what a record says, and says which value it has not found as it was; with an error the contents
  /// are of no use any more.
  package var apply: ([UInt8], inout Contents) throws -> String?
  /// Throws if a document that was written is not read back as what it was written from.
  package var verify: (Contents, _ document: Int32) throws -> Void
  /// Mends what somebody else than Kura has left undone in a document, and says what.
  package var mend: (inout Contents) -> KeepingNote?
  /// H(D) of the document that was read last, where it is known without reading it.
  package var knownName: () -> DocumentName? = { nil }

  package init(
    read: @escaping (StorePlace, Int32) throws -> Contents,
    write:
      @escaping (Contents, @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) throws ->
      Void,
    apply: @escaping ([UInt8], inout Contents) throws -> String?,
    verify: @escaping (Contents, _ document: Int32) throws -> Void,
    mend: @escaping (inout Contents) -> KeepingNote? = { _ in nil }
  ) {
    self.read = read
    self.write = write
    self.apply = apply
    self.verify = verify
    self.mend = mend
  }
}

/// What a person may ask for.
package struct KeepingOptions: Sendable {
  /// False: `--no-lock`
  package var takesLock = true
  /// Whether a last record that is damaged is dropped, and the store may be written.
  package var dropsDamagedSave = false
  /// How long a save waits for somebody else's lock; nil: as long as it takes.
  package var lockTimeout: Duration?
  /// A journal larger than this, and than a quarter of the document, is folded after a save.
  package var journalLimit: Int64 = 4 << 20
  /// A smaller document is folded at a clean end.
  package var documentLimit: Int64 = 16 << 20
  /// Who asks for it ends what is read or written, as long as nothing of it counts.
  package var cancel = CancelFlag()
  /// Where columns are cached; nil: nowhere.
  package var cache: CacheSettings?

  package init() {}
}

/// What is to be saved.
package struct SaveRequest<Contents> {
  /// Everything as it is to be.
  package var contents: Contents
  /// What is changed since the last save; nil writes the document anew.
  package var record: [UInt8]?
  /// Called with the names of the states before and after it once it is kept, while the store is locked.
  var note: ((_ before: String?, _ after: String?) -> Void)?

  package init(
    _ contents: Contents, record: [UInt8]?, note: ((String?, String?) -> Void)? = nil
  ) {
    self.contents = contents
    self.record = record
    self.note = note
  }
}

/// What came of a save.
package struct SaveResult<Contents> {
  /// What was saved: the request's contents, or those that it was rebased to.
  package var contents: Contents
  /// Whether saves of others were taken in.
  package var tookInOthers = false
  /// Whether the journal was taken away, and what it held was written anew.
  package var restoredJournal = false
  /// Why the journal was not folded after all; the save was kept.
  package var foldFailure: (any Error)?
}

extension DocumentName {
  /// What is kept beside a document: its hash, and when it was written last.
  func mark(_ status: FileStatus) -> String {
    "\(hash.text) \(status.seconds).\(status.nanoseconds)"
  }

  /// Whether a mark says that the file was not written since, and yet had another content.
  func contradicts(_ mark: String, _ status: FileStatus) -> Bool {
    let now = self.mark(status)
    return mark.count == now.count && mark.dropFirst(32) == now.dropFirst(32) && mark != now
  }
}

extension FileStatus {
  /// Whether nobody has written the document since it got its mark.
  func isUntouched(since mark: String) -> Bool { mark.hasSuffix(" \(seconds).\(nanoseconds)") }
}

extension DocumentForm {
  /// Writes the contents to a new file, reads that back, and says what names them.
  ///
  /// The file has the mark of a temporary one until it is in its place.
  func write(
    _ contents: Contents, to file: OpenFile, _ files: FileOperations
  ) throws -> DocumentName {
    files.setMark(file.descriptor, StoreFile.temporaryMark)
    var hash = ContentHash()
    try write(contents) { (piece) throws(FileError) in
      try files.writeAll(file.descriptor, piece, at: Int64(hash.count))
      hash.add(piece)
    }
    try verify(contents, file.descriptor)
    return DocumentName(hash)
  }
}

extension DocumentForm where Contents == StoreContents {
  /// Stores as their documents and change sets have them.
  ///
  /// Where somebody asks to stop, reading and writing fail with `ECANCELED`. With a cache a document
  /// is read from that, where it can be.
  static func store(
    _ progress: WorkProgress = .none, _ cancel: CancelFlag = CancelFlag(),
    _ cache: StoreCache? = nil
  ) -> DocumentForm {
    var form = DocumentForm(
      read: { place, file in
        let reader = StoreReader(path: place.path, file: file, progress: progress, cancel: cancel)
        return try cache?.read(place, file) { try reader.read() } ?? reader.read()
      },
      write: { store, put in
        var output = FileOutput { (bytes) throws(FileError) in
          if cancel.isRequested { throw FileError(.write, ECANCELED) }
          try put(bytes)
        }
        try DocumentWriter(store).write(to: &output)
        try output.flush()
      },
      apply: { bytes, store in
        let kept = try KeptChange(reading: bytes)
        let other = try store.graph.admit(kept)
        store.news?.append(kept.change)
        return other
      },
      verify: { store, file in
        try store.verify(StoreReader(path: "", file: file, cancel: cancel))
      },
      mend: { store in store.mendDerivedValues() })
    if let cache { form.knownName = { cache.name } }
    return form
  }
}

extension StoreContents {
  /// Whoever edits a document by hand does not compute what is derived in it.
  fileprivate mutating func mendDerivedValues() -> KeepingNote? {
    let zone = timeZoneID.flatMap { TimeZone(identifier: $0) }
    do throws(Diagnostic) {
      let change = try graph.mendDerivedValues(in: ZoneRules(zone))
      guard let first = change.updated.first else { return nil }
      let object = "\(first.entity)/\(first.numbers[0])"
      return .mendedDerived(
        "\(object).\(first.columns[0].key)", objects: change.counts.updated)
    } catch {
      return .underivable(reason: error.facts.sentence)
    }
  }
}

extension StoreContents {
  /// Throws where a document written from this store is not read as the same store.
  ///
  /// The whole of it goes through the loader; then models, zones, numbers and how many objects there
  /// are of each entity are compared.
  fileprivate func verify(_ reader: StoreReader) throws(KeepingFailure) {
    let again: StoreContents
    do throws(StoreProblems) { again = try reader.read() } catch {
      throw .notReadBack(
        reason: error.diagnostics.first?.facts.sentence ?? localized("it cannot be read"))
    }
    guard (try? again.withoutObjects) == (try? withoutObjects) else {
      throw .notReadBack(reason: localized("it has another model"))
    }
    guard again.graph.tables.elementsEqual(graph.tables, by: { $0.isAsFull(as: $1) }) else {
      throw .notReadBack(reason: localized("it has other objects"))
    }
  }
}

extension StoreContents {
  /// The document of its model alone: the same model gives the same bytes.
  var withoutObjects: [UInt8] {
    get throws {
      var bytes: [UInt8] = []
      var output = FileOutput { (piece) throws(FileError) in bytes += piece }
      var empty = self
      empty.graph = Graph(model: graph.model)
      try DocumentWriter(empty).write(to: &output)
      try output.flush()
      return bytes
    }
  }
}

extension Table {
  /// Whether it has the same objects by their numbers, and gives the same number next.
  fileprivate func isAsFull(as other: Table) -> Bool {
    nextNumber >= other.nextNumber && liveCount == other.liveCount
      && liveNumberSum == other.liveNumberSum
  }

  private var liveNumberSum: Int64 {
    (0..<count).reduce(0) { isLive($1) ? $0 &+ identifiers[$1] : $0 }
  }
}
