/// A kind of file that is read into memory as a whole, with a maximum size.
///
///     let bytes = try FileLimit.notebook.read(size: size, cancel) { buffer, place in
///       pread(file, buffer.baseAddress, buffer.count, off_t(place))
///     }
package enum FileLimit: Sendable, CaseIterable {
  /// `STORE.journal`. A save whose record would exceed the limit writes the document instead.
  case journal
  /// `STORE.history`
  case history
  /// `STORE.unsaved`
  case recovery
  /// The table of contents of a column cache.
  case cacheContents
  /// A notebook, a lesson, its answers, a table of cases, `~/.kurarc`.
  case text

  package var bytes: Int {
    switch self {
    case .journal, .history, .recovery: 1 << 30
    case .cacheContents: 256 << 20
    case .text: 64 << 20
    }
  }

  package var megabytes: Int { bytes >> 20 }
}

/// The content of a file, or the reason why it was not read.
package enum BoundedBytes: Sendable, Equatable {
  case whole([UInt8])
  case tooLarge
  /// The cancel flag was raised.
  case stopped
}

extension FileLimit {
  private static let window = 1 << 18

  /// Reads a file to its end, one block at a time.
  ///
  /// `next` fills a buffer from an offset, and returns the number of bytes; 0 at the end. A file
  /// whose `size` is known to be too large is not read.
  package func read<Failure: Error>(
    size: Int64? = nil, _ cancel: CancelFlag,
    _ next: (UnsafeMutableRawBufferPointer, _ at: Int) throws(Failure) -> Int
  ) throws(Failure) -> BoundedBytes {
    if let size, size > Int64(bytes) { return .tooLarge }
    let window = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.window, alignment: 16)
    defer { window.deallocate() }
    var read: [UInt8] = []
    while true {
      if cancel.isRequested { return .stopped }
      let count = try next(window, read.count)
      if count <= 0 { return .whole(read) }
      guard read.count + count <= bytes else { return .tooLarge }
      read.append(contentsOf: UnsafeRawBufferPointer(rebasing: window[..<count]))
    }
  }
}
