package import KuraDiagnostics
package import KuraGraph
package import KuraModel
package import KuraPredicates
package import KuraValues

extension ExpressionTree {
  /// The value of an expression outside a fetch, as in `print`, `let` and `insert`.
  ///
  /// With a type, a literal is read as it: a string as a date, digits as a decimal. Throws where a
  /// name is not known, a literal does not fit, or the evaluation fails, as arithmetic over nil
  /// does.
  package func value(
    in snapshot: GraphSnapshot, _ environment: FetchEnvironment, as type: AttributeType? = nil
  ) throws(Diagnostic) -> Value {
    var environment = environment
    environment.snapshot = snapshot
    let binder = Binder(snapshot, entity: nil, SharedEnvironment(environment))
    var bound = try binder.bound(self)
    try binder.checkIsThere(bound.tree)
    if let type { bound.tree = try binder.read(bound.tree, as: type, nil) }
    return try bound.tree.evaluate(on: .null, in: environment.evaluationOutsideFetch)
  }
}
