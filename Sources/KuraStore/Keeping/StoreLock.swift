import Foundation
import KuraBytes
import KuraJSON

/// The lock of a store, held while the store is written. It is a separate file, because a lock on
/// the document would be void once the document is replaced.
final class StoreLock {
  private let place: StorePlace
  private let files: FileOperations
  private let file: OpenFile

  /// Waits for the lock; `waiting` is called meanwhile and may throw.
  ///
  /// All users who may write the `document` may also lock it.
  init(
    _ place: StorePlace, _ files: FileOperations, like document: OpenFile?,
    waiting: (LockHolder?) throws -> Void
  ) throws {
    self.place = place
    self.files = files
    var file = try StoreLock.locked(place, files, document, waiting)
    // The previous holder removed the file, so that lock protects nothing.
    while try !StoreLock.isCurrent(file, place, files) {
      file = try StoreLock.locked(place, files, document, waiting)
    }
    self.file = file
    writeHolder()
  }

  /// Removes the file, which releases the lock.
  deinit { try? files.remove(place.folder, place.lock) }

  private static func locked(
    _ place: StorePlace, _ files: FileOperations, _ document: OpenFile?,
    _ waiting: (LockHolder?) throws -> Void
  ) throws -> OpenFile {
    let file = try opened(place, files, document)
    while try !on(.lock, { () throws(FileError) in try files.lock(file.descriptor) }) {
      try waiting(LockHolder(of: file.descriptor, files))
      files.pause()
    }
    return file
  }

  /// Opens or creates the file; all users who may write the document may write it.
  private static func opened(
    _ place: StorePlace, _ files: FileOperations, _ document: OpenFile?
  ) throws(KeepingFailure) -> OpenFile {
    var attempts = 0
    while true {
      do throws(KeepingFailure) {
        return try place.open(place.lock, as: .lock, .writing, files)
      } catch {
        // A process that is creating the file may not have set its rights yet.
        guard error.isRefused(by: ENOENT) || error.isRefused(by: EACCES) && attempts < 20 else {
          throw error
        }
      }
      attempts += 1
      if let file = try made(place, files, document) { return file }
    }
  }

  /// Creates the file; nil if another process did.
  private static func made(
    _ place: StorePlace, _ files: FileOperations, _ document: OpenFile?
  ) throws(KeepingFailure) -> OpenFile? {
    do throws(KeepingFailure) {
      let mode: UInt32 = document == nil ? 0o666 : 0o600
      let file = try place.open(place.lock, as: .lock, .fresh, mode: mode, files)
      if let document { _ = files.copyAttributes(document.descriptor, file.descriptor) }
      return file
    } catch {
      guard error.isRefused(by: EEXIST) else { throw error }
      files.pause()
      return nil
    }
  }

  private static func isCurrent(
    _ file: OpenFile, _ place: StorePlace, _ files: FileOperations
  ) throws(KeepingFailure) -> Bool {
    try on(.lock) { () throws(FileError) in
      let named = try files.statusOfName(place.folder, place.lock)
      let status = try files.status(file.descriptor)
      return named?.isSameFile(as: status) ?? false
    }
  }

  /// Writes this process into the file, for processes that wait; a full disk does not matter.
  private func writeHolder() {
    try? files.truncate(file.descriptor, 0)
    try? files.writeAll(file.descriptor, files.holder().line, at: 0)
  }
}

extension KeepingFailure {
  fileprivate func isRefused(by number: Int32) -> Bool {
    if case .file(let error, .lock) = self { error.number == number } else { false }
  }
}

extension LockHolder {
  /// `{"process": 4711, "user": "hana", "host": "desk"}` and a line feed.
  var line: [UInt8] {
    var bytes = Array(#"{"process": \#(process), "user": "#.utf8)
    JSONWriter.append(user, to: &bytes)
    bytes += Array(#", "host": "#.utf8)
    JSONWriter.append(host, to: &bytes)
    return bytes + Array("}\n".utf8)
  }

  /// Reads the holder from a lock's file; nil while it is being written.
  init?(of file: Int32, _ files: FileOperations) {
    // Never reads more than Kura writes, however large the file is.
    guard let bytes = try? files.read(file, at: 0, upTo: 4096),
      let node = try? JSONNode(reading: bytes),
      let process = node["process"]?.integer.flatMap(Int32.init(exactly:)),
      let user = node["user"]?.string, let host = node["host"]?.string
    else { return nil }
    self.init(process: process, user: user, host: host)
  }
}

extension StorePlace {
  /// Returns whether another process has the lock at this moment.
  func isBeingWritten(_ files: FileOperations) -> Bool {
    guard (try? check(lock, as: .lock, files)) == true,
      let file = try? open(lock, as: .lock, .writing, files)
    else { return false }
    return (try? files.lock(file.descriptor)) == false
  }
}
