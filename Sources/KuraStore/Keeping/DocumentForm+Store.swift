import KuraBytes

extension DocumentForm where Contents == OpenedStore {
  /// Stores as their documents and change sets have them.
  static func store(_ progress: WorkProgress = .none) -> DocumentForm {
    DocumentForm(
      read: { place, _ in try StoreReader(path: place.path, progress: progress).read() },
      write: { store, put in
        var output = FileOutput(put)
        try DocumentWriter(store).write(to: &output)
        try output.flush()
      },
      apply: { bytes, store in try store.graph.apply(KeptChange(reading: bytes)) })
  }
}
