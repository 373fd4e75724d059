import KuraBytes

extension DocumentForm where Contents == OpenedStore {
  /// Stores as their documents and change sets have them.
  static func store(_ progress: WorkProgress = .none) -> DocumentForm {
    DocumentForm(
      read: { place, file in
        let store = try StoreReader(path: place.path, progress: progress).read()
        // A link on the way may lead elsewhere since.
        guard store.stamp == FileStamp(descriptor: file) else { throw KeepingFailure.restless }
        return store
      },
      write: { store, put in
        var output = FileOutput(put)
        try DocumentWriter(store).write(to: &output)
        try output.flush()
      },
      apply: { bytes, store in try store.graph.apply(KeptChange(reading: bytes)) })
  }
}
