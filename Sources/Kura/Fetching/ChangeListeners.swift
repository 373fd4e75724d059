import Synchronization

/// Those who are told the changes of a fetch that stays.
final class ChangeListeners: Sendable {
  typealias Stream = AsyncStream<FetchedResultsChange>

  private struct State {
    /// What is told from the beginning on, until somebody asks.
    var first: Stream?
    var tellers: [Stream.Continuation]
    var hasEnded = false
  }

  private let state: Mutex<State>

  init() {
    let (stream, teller) = Stream.makeStream()
    state = Mutex(State(first: stream, tellers: [teller]))
  }

  deinit { for teller in state.withLock({ $0.tellers }) { teller.finish() } }

  /// A stream of its own for each who asks.
  func next() -> Stream {
    state.withLock { state in
      if let first = state.first.take() { return first }
      let (stream, teller) = Stream.makeStream()
      if state.hasEnded { teller.finish() } else { state.tellers.append(teller) }
      return stream
    }
  }

  /// Tells a change to all, or by nil that there is none any more; who listens no more is forgotten.
  func tell(_ change: FetchedResultsChange?) {
    state.withLock { state in
      guard let change else {
        state.hasEnded = true
        for teller in state.tellers { teller.finish() }
        return state.tellers = []
      }
      state.tellers.removeAll { if case .terminated = $0.yield(change) { true } else { false } }
    }
  }
}
