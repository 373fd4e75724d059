import Synchronization

/// The streams that tell what becomes of a context: they end when nobody has it any more, for then nobody can
/// change it.
final class ContextListeners: Sendable {
  private struct State {
    var last = 0
    var endings: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// What ends a stream is kept until it is taken out again.
  func add(_ end: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.last += 1
      state.endings[state.last] = end
      return state.last
    }
  }

  func remove(_ number: Int) {
    // What it held goes behind the lock.
    _ = state.withLock { $0.endings.removeValue(forKey: number) }
  }

  /// Ends all of them: not while the state is locked, for who hears it takes himself out.
  func endAll() {
    let endings = state.withLock { state in
      defer { state.endings = [:] }
      return state.endings
    }
    for end in endings.values { end() }
  }
}
