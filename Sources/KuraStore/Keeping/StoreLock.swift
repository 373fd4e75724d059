import Foundation
package import KuraBytes
package import KuraDiagnostics
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

/// The handling of a wait while another process saves: report it, and possibly give up.
package struct LockWaiting {
  /// Called when the waiting begins, and again after ten seconds.
  package var report: (Diagnostic) -> Void = { _ in }
  /// Ends the waiting.
  package var cancel: CancelFlag?
  /// The time since an arbitrary moment, to measure the waiting.
  var now: () -> Duration = WaitingReports.clock

  package init(report: @escaping (Diagnostic) -> Void = { _ in }, cancel: CancelFlag? = nil) {
    self.report = report
    self.cancel = cancel
  }
}

extension LockWaiting {
  /// Returns a function to call repeatedly while waiting; it throws when the waiting is to end.
  func steps(path: String, _ limit: Duration?) -> (LockHolder?) throws -> Void {
    var reports = WaitingReports(path: path, now: now)
    return { [report, cancel] holder in
      try cancel?.check()
      if let facts = reports.next(holder) { report(Diagnostic(facts, severity: .note)) }
      if let limit, reports.time >= limit {
        throw KeepingFailure.lockTimedOut(holder, after: limit)
      }
    }
  }
}

/// The reports while another process has the lock: one at once, and one with advice after ten seconds.
struct WaitingReports {
  let path: String
  let now: () -> Duration
  private var start: Duration?
  private var isSaidAgain = false

  init(path: String, now: @escaping () -> Duration) {
    self.path = path
    self.now = now
  }

  /// The time since the waiting began.
  var time: Duration { start.map { now() - $0 } ?? .zero }

  /// Returns the report that is due now, or nil.
  mutating func next(_ holder: LockHolder?) -> KeepingMessage? {
    guard let start else {
      start = now()
      return KeepingMessage(.waiting(holder), path: path)
    }
    guard !isSaidAgain, now() - start >= .seconds(10) else { return nil }
    isSaidAgain = true
    return KeepingMessage(.stillWaiting(holder), path: path)
  }

  /// A clock that counts from an arbitrary moment.
  static var clock: () -> Duration {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }
}
