import Synchronization

/// A request to stop running work. The requester raises the flag; the work checks it regularly.
///
///     CancelFlag.current.request()       // Control-C
///     CancelFlag.current.isRequested     // true
///     CancelFlag.current.reset()         // before the next piece of work
package final class CancelFlag: Sendable {
  /// The flag of this process, which signal handlers can access.
  package static let current = CancelFlag()

  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Whether a stop was requested. Reading it is cheap enough for a loop over values.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Requests a stop. Safe to call in a signal handler.
  package func request() { flag.store(true, ordering: .relaxed) }

  package func reset() { flag.store(false, ordering: .relaxed) }
}

extension CancelFlag {
  /// Throws `Stopped` if a stop was requested.
  package func check() throws(Stopped) {
    if isRequested { throw Stopped() }
  }
}

/// The work was stopped before its end, without a result.
package struct Stopped: Error {
  package init() {}
}
