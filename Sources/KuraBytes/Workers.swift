import CThreads
import Synchronization

/// Loops over numbered pieces of work, distributed over all cores.
///
///     let sums = Workers.states(count: chunks.count, inParallel: true, { 0 }) { $0 += work($1) }
///
/// Each thread takes the next piece when it has finished one, so that a busy core delays at most
/// its last piece. Waking the other threads takes about 20 microseconds.
package enum Workers {
  /// The number of threads: one per core, up to eight.
  package static var count: Int { Int(kura_worker_count()) }

  /// Returns the states that the threads have built, each from the pieces that the thread
  /// processed.
  package static func states<State: Sendable>(
    count: Int, inParallel: Bool, _ make: @Sendable () -> State,
    _ body: @Sendable (inout State, Int) -> Void
  ) -> [State] {
    guard inParallel, count > 1 else {
      var state = make()
      for i in 0..<count { body(&state, i) }
      return [state]
    }
    let next = Atomic<Int>(0)
    let states = Mutex<[State]>([])
    Workers.onAll {
      var i = next.add(1, ordering: .relaxed).oldValue
      guard i < count else { return }
      var state = make()
      while i < count {
        body(&state, i)
        i = next.add(1, ordering: .relaxed).oldValue
      }
      states.withLock { $0.append(state) }
    }
    return states.withLock { $0 }
  }

  /// Returns the result of each piece, in order.
  package static func map<Result: Sendable>(
    count: Int, inParallel: Bool, _ body: @Sendable (Int) -> Result
  ) -> [Result] {
    guard inParallel, count > 1 else { return (0..<count).map(body) }
    let parts = states(count: count, inParallel: true, { [(Int, Result)]() }) {
      $0.append(($1, body($1)))
    }
    return parts.joined().sorted { $0.0 < $1.0 }.map { $0.1 }
  }
}

extension Workers {
  /// Whether the system can provide another thread.
  package static var canStartThreads: Bool { kura_has_threads() }

  /// Runs a body on this thread and on the other workers, and returns when all are done. If the
  /// others are busy, runs it only on this thread.
  package static func onAll(_ body: @Sendable () -> Void) {
    withoutActuallyEscaping(body) { body in
      let errand = SharedThreadBody(body)
      kura_run_on_all(
        { Unmanaged<SharedThreadBody>.fromOpaque($0).takeUnretainedValue().body() },
        Unmanaged.passUnretained(errand).toOpaque())
      withExtendedLifetime(errand) {}
    }
  }
}

/// A body for several threads.
private final class SharedThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
