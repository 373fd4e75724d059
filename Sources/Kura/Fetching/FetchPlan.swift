import KuraBytes
import KuraDiagnostics
import KuraFetch
import KuraGraph

/// The plan of a request: a step and its substeps.
///
///     print(try context.explain(FetchRequest("Item", where: "priority > 3").sorted(by: "title")))
///
/// The texts are for people, and may change between versions.
public struct FetchPlan: Sendable {
  /// The operation, such as `priority > 3` or `sort title`.
  public let step: String
  /// The method of the step: the kernel, the index, or the reference evaluator.
  public let method: String
  /// The substeps in their order of execution.
  public let parts: [FetchPlan]
  /// The number of objects that reached the step; nil if it did not run.
  public let reached: Int?
  /// The number of objects that passed the step.
  public let passed: Int?
  /// The time of the step and its substeps, summed over all cores.
  public let duration: Duration?

  init(_ explanation: FetchExplanation) {
    (step, method) = (explanation.text, explanation.method)
    (reached, passed) = (explanation.reached, explanation.passed)
    duration = explanation.seconds.map { .seconds($0) }
    parts = explanation.parts.map(FetchPlan.init)
  }
}

extension FetchPlan: CustomStringConvertible {
  /// One line per step, indented by its depth. Linear in the steps.
  public var description: String { lines("").joined(separator: "\n") }

  private func lines(_ indent: String) -> [String] {
    let counts = reached.map { "\($0) → \(passed.map(String.init) ?? "?")" }
    let facts = [method, counts ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    return [indent + step + (facts.isEmpty ? "" : "  [\(facts)]")]
      + parts.flatMap { $0.lines(indent + "  ") }
  }
}

extension ManagedObjectContext {
  /// Returns the plan of a request. If `analyzing` is true, the request runs, and each step has its
  /// counts and time.
  ///
  ///     print(try context.explain(FetchRequest("Item", where: "title CONTAINS '誕生'")))
  ///
  /// With `analyzing` it costs what `fetch` does, otherwise only planning. Throws as `fetch` does.
  public func explain(_ request: FetchRequest, analyzing: Bool = false) throws -> FetchPlan {
    try reader.explain(request, analyzing)
  }
}

extension Snapshot {
  /// Returns the plan of a request. If `analyzing` is true, the request runs, and each step has its
  /// counts and time.
  ///
  /// With `analyzing` it costs what `fetch` does, otherwise only planning. Throws as `fetch` does.
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
