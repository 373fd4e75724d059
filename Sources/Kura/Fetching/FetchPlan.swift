import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph

/// How a request is answered: a step with the steps below it.
///
///     print(try context.explain(FetchRequest("Item", where: "priority > 3").sorted(by: "title")))
///
/// Its texts are for people, and may change.
public struct FetchPlan: Sendable {
  /// What is done: `priority > 3`, `sort title`.
  public let step: String
  /// How: by which kernel or index, or with the reference evaluator.
  public let method: String
  /// The steps below, in the order in which they are done.
  public let parts: [FetchPlan]
  /// How many objects came to the step; nil where it was not run.
  public let reached: Int?
  /// How many of them passed.
  public let passed: Int?
  /// The time that was spent there and below, on all cores together.
  public let duration: Duration?

  init(_ explanation: FetchExplanation) {
    (step, method) = (explanation.text, explanation.method)
    (reached, passed) = (explanation.reached, explanation.passed)
    duration = explanation.seconds.map { .seconds($0) }
    parts = explanation.parts.map(FetchPlan.init)
  }
}

extension FetchPlan: CustomStringConvertible {
  /// A line for each step, indented by its depth. Linear in the steps.
  public var description: String { lines("").joined(separator: "\n") }

  private func lines(_ indent: String) -> [String] {
    let counts = reached.map { "\($0) → \(passed.map(String.init) ?? "?")" }
    let facts = [method, counts ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    return [indent + step + (facts.isEmpty ? "" : "  [\(facts)]")]
      + parts.flatMap { $0.lines(indent + "  ") }
  }
}

extension ManagedObjectContext {
  /// How a request would be answered; with `analyzing` it is, and each step has its counts and time.
  ///
  ///     print(try context.explain(FetchRequest("Item", where: "title CONTAINS '誕生'")))
  ///
  /// With `analyzing` it costs what `fetch` does, and no more without. Throws as `fetch` does.
  public func explain(_ request: FetchRequest, analyzing: Bool = false) throws -> FetchPlan {
    try reader.explain(request, analyzing)
  }
}

extension Snapshot {
  /// How a request would be answered; with `analyzing` it is, and each step has its counts and time.
  ///
  /// With `analyzing` it costs what `fetch` does, and no more without. Throws as `fetch` does.
  public func explain(_ request: FetchRequest, analyzing: Bool = false) throws -> FetchPlan {
    try reader.explain(request, analyzing)
  }
}

extension GraphReader {
  fileprivate func explain(_ request: FetchRequest, _ isRun: Bool) throws -> FetchPlan {
    FetchPlan(
      try bound(request) { bound throws(Diagnostic) in
        let result = request.tree.result
        return isRun ? try bound.analysis(result) : bound.explanation(result)
      })
  }
}
