import Synchronization

/// What `explain analyze` learns while a request is answered: where the rows went, and the time.
final class FetchMeter: Sendable {
  /// What is done with a request, one after the other or inside each other.
  enum Step: Hashable, Sendable {
    case filter
    case group
    case distinct
    case sort
    case select
    case section
  }

  private struct State {
    var plan: Plan?
    var tally = FilterTally()
    var durations: [Step: Duration] = [:]
    /// The time of the steps inside the one that is measured.
    var inside = Duration.zero
  }

  private let state = Mutex(State())
}

extension FetchMeter {
  /// The plan that was followed.
  var plan: Plan? { state.withLock { $0.plan } }

  var tally: FilterTally { state.withLock { $0.tally } }

  /// The time of a step without that of the steps inside it.
  func duration(_ step: Step) -> Duration? { state.withLock { $0.durations[step] } }

  func note(_ plan: Plan, _ tally: FilterTally) {
    state.withLock { state in
      state.plan = plan
      state.tally.add(tally)
    }
  }

  func time<Result, Failure: Error>(
    _ step: Step, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outside = state.withLock { state in
      defer { state.inside = .zero }
      return state.inside
    }
    let start = ContinuousClock.now
    let result = try body()
    let duration = start.duration(to: .now)
    state.withLock { state in
      state.durations[step, default: .zero] += duration - state.inside
      state.inside = outside + duration
    }
    return result
  }
}

extension BoundRequest {
  /// Does a step, and notes its time where somebody wants to know it.
  func timed<Result, Failure: Error>(
    _ step: FetchMeter.Step, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let meter else { return try body() }
    return try meter.time(step, body)
  }
}
