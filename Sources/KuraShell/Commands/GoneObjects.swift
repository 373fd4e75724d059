import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraScript
import KuraValues

extension Session {
  /// Throws if a variable that is to be changed holds an object that was deleted, in whichever
  /// context.
  func checkPresent(_ source: FetchSource) throws {
    guard case .objects(let tree) = source.kind, case .variable(let name) = tree.kind,
      let facts = goneObjects(of: name)
    else { return }
    throw Failure(facts, at: source.span)
  }

  /// Throws if a variable in an expression is an object that is gone; of a list's objects those
  /// that are gone are only said.
  func checkPresent(_ expressions: [ExpressionTree], in source: SourceText) throws(Failure) {
    for expression in expressions {
      var uses: [(name: String, span: SourceSpan)] = []
      expression.walk { node, bound in
        if case .expression(let tree) = node, case .variable(let name) = tree.kind,
          !bound.contains(name)
        {
          uses.append((name, tree.span))
        }
        return .into
      }
      for use in uses { try checkPresent(use.name, at: use.span, in: source) }
    }
  }

  private func checkPresent(
    _ name: String, at span: SourceSpan, in source: SourceText
  ) throws(Failure) {
    guard let facts = goneObjects(of: name) else { return }
    if case .gone(_, _, isOne: true) = facts { throw Failure(facts, at: span) }
    report(Diagnostic(facts, at: span, severity: .warning), in: source)
  }

  private func goneObjects(of name: String) -> ShellFacts? {
    guard let value = state.variables[name] else { return nil }
    let gone = value.objectIDs.filter(isGone)
    if gone.isEmpty { return nil }
    return .gone(variable: name, gone.map(\.description), isOne: value.isObject)
  }

  private func isGone(_ id: ObjectID) -> Bool { state.context.graph.find(id) == nil }
}

extension Value {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}
