import KuraChecking
package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
package import KuraValues

extension BoundRequest {
  /// The values of an expression for objects that the request found, for `update … set`.
  ///
  /// With a type, a literal is read as it. An expression without keys is evaluated once. Throws
  /// where a name is not known, a literal does not fit, or an object makes the evaluation fail.
  package func values(
    of expression: ExpressionTree, for objects: FetchResult, as type: AttributeType?
  ) throws(Diagnostic) -> [Value] {
    let tree = try Resolver(snapshot, shared).resolved(expression, of: entity, as: type).tree
    if case .constant(let constant) = tree.kind {
      return Array(repeating: constant.value, count: objects.count)
    }
    let values = try values(of: tree, objects.rows)
    // Each is as large as it may be, and there are many.
    guard values.reduce(0, { $0 + $1.textLength }) <= Self.mostBytes else {
      throw Diagnostic(EvaluationFacts.tooLarge(.bytes(Self.mostBytes)), at: expression.span)
    }
    return values
  }

  private static var mostBytes: Int { 1 << 30 }
}

extension Value {
  fileprivate var textLength: Int {
    if case .string(let text) = self { text.utf8.count } else { 0 }
  }
}
