import Synchronization

/// Whether the work that goes on is to stop: somebody else asks for it, who works looks now and
/// then.
///
///     CancelFlag.current.request()       // Control-C
///     CancelFlag.current.isRequested     // true
///     CancelFlag.current.reset()         // before the next piece of work
package final class CancelFlag: Sendable {
  /// The flag of this process, which a signal's handler can reach.
  package static let current = CancelFlag()

  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Cheap enough for a loop over values.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// May be called in a signal's handler.
  package func request() { flag.store(true, ordering: .relaxed) }

  package func reset() { flag.store(false, ordering: .relaxed) }
}

extension CancelFlag {
  /// Throws `Stopped` if the work is to stop.
  package func check() throws(Stopped) {
    if isRequested { throw Stopped() }
  }
}

/// The work was stopped before its end, and nothing came of it.
package struct Stopped: Error {
  package init() {}
}
