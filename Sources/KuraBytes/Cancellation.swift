import Synchronization

/// A flag that somebody else raises to stop a long piece of work.
///
///     let cancellation = Cancellation()
///     cancellation.cancel()        // from another thread, or a signal's handler
///     cancellation.isCancelled     // true
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  /// Whether the work is to stop; who works asks every millisecond or so.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Raises the flag.
  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// Lowers it for the next piece of work.
  package func reset() { flag.store(false, ordering: .relaxed) }
}
