import KuraSentences
import Synchronization

/// The plan of a request, as a tree; after a run with the counts of each node.
package struct FetchExplanation: Sendable {
  /// The expression: `title CONTAINS "x"`, `sort date desc`
  package var text: String
  /// The method: `kernel: range over priority`, `reference evaluator`
  package var method: String
  /// The number of objects that reached the node; nil without a run.
  package var reached: Int?
  /// The number of them that passed.
  package var passed: Int?
  /// The time spent at the node and its children, summed over all cores.
  package var seconds: Double?
  /// The child steps, in execution order.
  package var parts: [FetchExplanation] = []
  /// The node's key in a meter.
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
  /// Returns the node with its counts.
  func measured(_ reached: Int?, _ passed: Int?, _ duration: Duration?) -> FetchExplanation {
    var result = self
    result.reached = reached
    result.passed = passed
    result.seconds = duration.map { $0 / .seconds(1) }
    return result
  }
}

extension FetchExplanation {
  /// Returns the node with the expressions that the reference evaluator evaluated during its step.
  func naming(_ evaluated: [(expression: FetchMeter.Evaluated, rows: Int)]) -> FetchExplanation {
    var result = self
    for (expression, rows) in evaluated where expression.step == step {
      let left = localized(
        "reference evaluator: \(expression.text), rows: \(rows), because \(expression.reason)")
      result.method += (result.method.isEmpty ? "" : "; ") + left
    }
    return result
  }
}

/// The measurements of `explain analyze`: counts of rows, and times.
final class FetchMeter: Sendable {
  /// A step of a request; steps follow each other or are nested.
  enum Step: Hashable, Sendable {
    case filter
    case group
    case distinct
    case sort
    case select
    case section
  }

  /// An expression that the reference evaluator evaluated during a step.
  struct Evaluated: Hashable {
    let step: Step
    let text: String
    let reason: String
  }

  private struct State {
    var step: Step?
    var evaluated: [(expression: Evaluated, rows: Int)] = []
    var plan: Plan?
    var tally = FilterTally()
    var durations: [Step: Duration] = [:]
    /// The time of the steps inside the current one.
    var inside = Duration.zero
  }

  private let state = Mutex(State())
}

extension FetchMeter {
  var plan: Plan? { state.withLock { $0.plan } }

  var tally: FilterTally { state.withLock { $0.tally } }

  /// Returns the time of a step without nested steps.
  func duration(_ step: Step) -> Duration? { state.withLock { $0.durations[step] } }

  /// The expressions that the reference evaluator evaluated, with the numbers of rows, in order.
  var evaluated: [(expression: Evaluated, rows: Int)] { state.withLock { $0.evaluated } }

  /// Adds rows for which the reference evaluator evaluates an expression.
  func note(_ text: String, rows: Int, reason: String) {
    state.withLock { state in
      guard let step = state.step, rows > 0 else { return }
      let expression = Evaluated(step: step, text: text, reason: reason)
      if let place = state.evaluated.firstIndex(where: { $0.expression == expression }) {
        state.evaluated[place].rows += rows
      } else {
        state.evaluated.append((expression, rows))
      }
    }
  }

  func note(_ plan: Plan, _ tally: FilterTally) {
    state.withLock { state in
      state.plan = plan
      state.tally.add(tally)
    }
  }

  func time<Result, Failure: Error>(
    _ step: Step, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (outside, outer) = state.withLock { state in
      defer { (state.inside, state.step) = (.zero, step) }
      return (state.inside, state.step)
    }
    defer { state.withLock { $0.step = outer } }
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
  /// Performs a step, and records its time if there is a meter.
  func timed<Result, Failure: Error>(
    _ step: FetchMeter.Step, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let meter else { return try body() }
    return try meter.time(step, body)
  }
}
