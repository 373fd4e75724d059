import Synchronization

/// The streams that receive the changes of fetched results.
final class ChangeListeners: Sendable {
  typealias Stream = AsyncStream<FetchedResultsChange>

  private struct State {
    /// The stream that buffers changes from the beginning, for the first caller of `next`.
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

  /// Returns a new stream. It retains `teller` as long as it is read.
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

  /// Sends a change to all streams, or ends them if it is nil. Removes streams that are no longer
  /// read.
  func tell(_ change: FetchedResultsChange?) {
    guard let change else { return end() }
    state.withLock { state in
      state.tellers.removeAll { if case .terminated = $0.yield(change) { true } else { false } }
    }
  }

  /// Ends all streams. A stream that ends releases its teller, so this happens outside the lock.
  private func end() {
    let tellers = state.withLock { state in
      defer { (state.hasEnded, state.tellers) = (true, []) }
      return state.tellers
    }
    for teller in tellers { teller.finish() }
  }
}
