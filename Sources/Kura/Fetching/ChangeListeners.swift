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

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// A stream of its own for each who asks, which keeps what tells it as long as it is listened to.
  func next(keeping teller: some AnyObject & Sendable) -> Stream {
    let keep: @Sendable (Stream.Continuation.Termination) -> Void = { _ in
      withExtendedLifetime(teller) {}
    }
    return state.withLock { state in
      if let first = state.first.take() {
        state.tellers.first?.onTermination = keep
        return first
      }
      let (stream, teller) = Stream.makeStream()
      teller.onTermination = keep
      if state.hasEnded { teller.finish() } else { state.tellers.append(teller) }
      return stream
    }
  }

  /// Tells a change to all, or by nil that there is none any more; who listens no more is forgotten.
  func tell(_ change: FetchedResultsChange?) {
    guard let change else { return end() }
    state.withLock { state in
      state.tellers.removeAll { if case .terminated = $0.yield(change) { true } else { false } }
    }
  }

  /// Who hears the end lets go of what told him: not while the state is locked.
  private func end() {
    let tellers = state.withLock { state in
      defer { (state.hasEnded, state.tellers) = (true, []) }
      return state.tellers
    }
    for teller in tellers { teller.finish() }
  }
}
