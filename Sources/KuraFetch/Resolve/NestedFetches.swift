import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

/// Runs fetches that read a variable of a subquery around them, for each of its elements.
struct NestedFetches: FetchRunner {
  let snapshot: GraphSnapshot
  let environment: FetchEnvironment

  func value(
    of fetch: FetchTree, in context: EvaluationContext
  ) throws(Diagnostic) -> Value {
    var environment = environment
    environment.variables = context.variables
    // What it asks has been said where it stands.
    environment.warnings = nil
    return try fetch.bound(to: snapshot, environment).value(fetch.result)
  }
}
