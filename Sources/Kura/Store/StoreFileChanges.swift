import Foundation

extension Store {
  /// Says when the store's file has been written, by whomever, as long as somebody listens.
  ///
  ///     for await _ in store.fileChanges() {
  ///       try store.refresh()   // nil where it was our own save
  ///     }
  ///
  /// What was written since the call is said. The file is looked at, and not read, each time that an
  /// interval has passed; several writes in one are said once. Each look takes constant time.
  public func fileChanges(every interval: Duration = .milliseconds(500)) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard let path else {
      continuation.finish()
      return stream
    }
    let first = FileMark.marks(of: path)
    let task = Task.detached {
      var known = first
      while !Task.isCancelled {
        do { try await Task.sleep(for: interval) } catch { break }
        let now = FileMark.marks(of: path)
        if now != known { continuation.yield() }
        known = now
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

/// What tells whether a file was written: nil where there is none.
private struct FileMark: Equatable {
  var file: UInt64
  var size: Int64
  var seconds: Int
  var nanoseconds: Int

  /// Of a store's document and its journal.
  static func marks(of path: String) -> [FileMark?] {
    [path, path + ".journal"].map { FileMark($0) }
  }

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (file, size) = (UInt64(status.st_ino), Int64(status.st_size))
    #if canImport(Darwin)
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #endif
  }
}
