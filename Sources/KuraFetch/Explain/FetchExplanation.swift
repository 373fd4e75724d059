import Synchronization

/// How a request is answered, as a tree; after a run with what came of each node.
package struct FetchExplanation: Sendable {
  /// What stands there: `title CONTAINS "x"`, `sort date desc`
  package var text: String
  /// How it is done: `kernel: range over priority`, `reference evaluator`
  package var method: String
  /// How many objects reached the node; nil without a run.
  package var reached: Int?
  /// How many of them passed.
  package var passed: Int?
  /// The time that was spent there and below, on all cores together.
  package var seconds: Double?
  /// The steps below, in the order in which they are done.
  package var parts: [FetchExplanation] = []
  /// What a meter calls the node.
  var step: FetchMeter.Step?

  init(
    _ text: String, _ method: String = "", _ parts: [FetchExplanation] = [],
    step: FetchMeter.Step? = nil
  ) {
    self.text = text
    self.method = method
    self.parts = parts
    self.step = step
  }
}

extension FetchExplanation {
  /// The node with what came of it.
  func measured(_ reached: Int?, _ passed: Int?, _ duration: Duration?) -> FetchExplanation {
    var result = self
    result.reached = reached
    result.passed = passed
    result.seconds = duration.map { $0 / .seconds(1) }
    return result
  }
}

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
