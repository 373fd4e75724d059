import CThreads
import Synchronization

/// A loop over numbered pieces of work that two cores share.
///
///     let sums = TwoCores.states(count: chunks.count, onBoth: true, { 0 }) { $0 += work($1) }
///
/// Each core takes the next piece when it is done with one, so that a core that somebody else is
/// using holds nothing up but its last piece. Waking the second core takes some 20 microseconds.
package enum TwoCores {
  /// The states that the cores have built, one or two, each from the pieces that it took.
  package static func states<State: Sendable>(
    count: Int, onBoth: Bool, _ make: @Sendable () -> State,
    _ body: @Sendable (inout State, Int) -> Void
  ) -> [State] {
    guard onBoth, count > 1 else {
      var state = make()
      for i in 0..<count { body(&state, i) }
      return [state]
    }
    let next = Atomic<Int>(0)
    let states = Mutex<[State]>([])
    TwoCores.onBoth {
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

  /// What a piece gives, for each piece in their order.
  package static func map<Result: Sendable>(
    count: Int, onBoth: Bool, _ body: @Sendable (Int) -> Result
  ) -> [Result] {
    guard onBoth, count > 1 else { return (0..<count).map(body) }
    let parts = states(count: count, onBoth: true, { [(Int, Result)]() }) {
      $0.append(($1, body($1)))
    }
    return parts.joined().sorted { $0.0 < $1.0 }.map { $0.1 }
  }
}

extension TwoCores {
  /// Whether the system gives this process another thread.
  package static var areThere: Bool { kura_has_threads() }

  /// Runs a body here and on a second core, and returns when both are done; here alone where no
  /// other thread is to be had.
  package static func onBoth(_ body: @Sendable () -> Void) {
    withoutActuallyEscaping(body) { body in
      let errand = SharedErrand(body)
      kura_run_on_both(
        { Unmanaged<SharedErrand>.fromOpaque($0).takeUnretainedValue().body() },
        Unmanaged.passUnretained(errand).toOpaque())
      withExtendedLifetime(errand) {}
    }
  }
}

/// A body for two threads.
private final class SharedErrand: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
