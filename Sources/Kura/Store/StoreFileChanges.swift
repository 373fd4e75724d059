import Foundation

extension Store {
  /// Returns a stream with an element whenever any program writes the store's file.
  ///
  ///     for await _ in store.fileChanges() {
  ///       try store.refresh()   // nil if it was our own save
  ///     }
  ///
  /// It covers writes since the call. After each interval, the file's metadata is checked without
  /// reading the file; several writes within one interval are one element. Each check takes
  /// constant time.
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

/// The metadata that changes when a file is written; nil if the file does not exist.
private struct FileMark: Equatable {
  var file: UInt64
  var size: Int64
  var seconds: Int
  var nanoseconds: Int

  /// Returns the marks of a store's document and its journal.
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
