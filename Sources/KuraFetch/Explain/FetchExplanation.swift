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
