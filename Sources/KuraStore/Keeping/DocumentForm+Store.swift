import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraSentences
import KuraValues

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
