import Foundation
import KuraBytes
import KuraJSON

/// The lock of a store, held while the store is written. It is a separate file, because a lock on
/// the document would be void once the document is replaced.
final class StoreLock {
  private let place: StorePlace
  private let file: OpenFile

  /// Waits for the lock; `waiting` is called meanwhile and may throw.
  ///
  /// All users who may write the `document` may also lock it.
  init(
    _ place: StorePlace, like document: OpenFile?, waiting: (LockHolder?) throws -> Void
  ) throws {
    self.place = place
    file = try place.locked { () throws(KeepingFailure) in
      try place.lockFile(like: document)
    } waiting: { file in
      try waiting(LockHolder(of: file))
    }
    writeHolder()
  }

  /// Removes the file, which releases the lock.
  deinit { try? place.remove(.lock) }

  /// Writes this process into the file, for processes that wait; a full disk does not matter.
  private func writeHolder() {
    try? file.truncate(to: 0)
    try? file.write(place.files.holder().line, at: 0)
  }
}

extension StorePlace {
  /// Opens or creates the file of the lock; all users who may write the document may write it.
  fileprivate func lockFile(like document: OpenFile?) throws(KeepingFailure) -> OpenFile {
    var attempts = 0
    while true {
      do throws(KeepingFailure) {
        return try open(.lock, .writing)
      } catch {
        // A process that is creating the file may not have set its rights yet.
        guard error.number == ENOENT || error.number == EACCES && attempts < 20 else {
          throw error
        }
      }
      attempts += 1
      if let file = try newLockFile(like: document) { return file }
    }
  }

  /// Creates the file; nil if another process did.
  private func newLockFile(like document: OpenFile?) throws(KeepingFailure) -> OpenFile? {
    do throws(KeepingFailure) {
      let file = try open(.lock, .fresh, mode: document == nil ? 0o666 : 0o600)
      if let document { file.copyAttributes(of: document) }
      return file
    } catch {
      guard error.number == EEXIST else { throw error }
      files.pause()
      return nil
    }
  }

  /// Whether another process has the lock at this moment.
  var isBeingWritten: Bool {
    guard (try? has(.lock)) == true, let file = try? open(.lock, .writing) else { return false }
    return (try? file.lock()) == false
  }
}

extension LockHolder {
  /// `{"process": 4711, "user": "hana", "host": "desk"}` and a line feed.
  var line: [UInt8] {
    let node = JSONNode([
      "process": JSONNode(process), "user": JSONNode(user), "host": JSONNode(host),
    ])
    return node.bytes + [UInt8(ascii: "\n")]
  }

  /// Reads the holder from a lock's file; nil while it is being written.
  init?(of file: OpenFile) {
    // Never reads more than Kura writes, however large the file is.
    guard let bytes = try? file.read(at: 0, upTo: 4096),
      let node = try? JSONNode(reading: bytes),
      let process = node["process"]?.integer.flatMap(Int32.init(exactly:)),
      let user = node["user"]?.string, let host = node["host"]?.string
    else { return nil }
    self.init(process: process, user: user, host: host)
  }
}
