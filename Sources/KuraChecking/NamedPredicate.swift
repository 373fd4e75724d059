package import KuraDiagnostics
package import KuraPredicates
import KuraValues

/// A predicate with a name, for use in others: `let $home = predicate parentCategory.name == "家"`
///
/// Its names are resolved for the objects of the fetch that it becomes part of.
package struct NamedPredicate: Sendable {
  package let tree: PredicateTree
  /// The text that the tree's spans refer to.
  package let source: SourceText

  package init(_ tree: PredicateTree, in source: SourceText) {
    self.tree = tree
    self.source = source
  }
}

extension Checker {
  /// Checks a named predicate as if it were written instead of its name.
  ///
  /// Its problems refer to its own text, and no change of the statement resolves them. Later
  /// problems, at evaluation, refer to the name.
  func checked(_ part: NamedPredicate, named name: String, at span: SourceSpan) -> PredicateTree {
    let problems = problems(of: part, named: name)
    state.problems += problems
    if problems.contains(where: { $0.severity == .error }) { return part.tree }
    let before = state.problems.count
    let checked = checked(part.tree.placed(at: span))
    state.problems.removeSubrange(before...)
    return checked
  }

  private func problems(of part: NamedPredicate, named name: String) -> [Diagnostic] {
    var context = context
    context.source = part.source
    context.predicates[name] = nil
    var checker = Checker(CheckState(context), root)
    checker.scope = scope
    _ = checker.checked(part.tree)
    return checker.state.problems.map { problem in
      var moved = problem
      moved.source = moved.source ?? part.source
      moved.fixIts = []
      return moved
    }
  }

  /// Reports `where $x` if the value is not a predicate; a parameter can become one.
  func checkIsPredicate(_ expression: ExpressionTree) {
    guard case .variable(let name) = expression.kind, scope[name] == nil,
      let value = context.evaluation.variables[name]
    else { return }
    if case .boolean = value { return }
    note(.variableAsPredicate(name), at: expression.span)
  }
}

extension FetchTree {
  /// Returns the fetch with named predicates expanded in the clauses of groups, so that their
  /// aggregates are found before the check.
  func writingOutGroups(_ parts: [String: NamedPredicate]) -> FetchTree {
    var fetch = mapClauses(
      predicate: { $0.writingOut(parts) }, expression: { $0.writingOut(parts) })
    fetch.predicate = predicate
    return fetch
  }
}

extension PredicateTree {
  func writingOut(_ parts: [String: NamedPredicate]) -> PredicateTree {
    parts.isEmpty ? self : rewritingExpressions { tree, bound in tree.writtenOut(parts, bound) }
  }

  /// Returns the tree with all spans replaced by one.
  fileprivate func placed(at span: SourceSpan) -> PredicateTree {
    var tree = mapParts(
      predicate: { $0.placed(at: span) }, expression: { $0.placed(at: span) })
    tree.span = span
    return tree
  }
}

extension ExpressionTree {
  func writingOut(_ parts: [String: NamedPredicate]) -> ExpressionTree {
    parts.isEmpty ? self : rewritingExpressions { tree, bound in tree.writtenOut(parts, bound) }
  }

  fileprivate func writtenOut(
    _ parts: [String: NamedPredicate], _ bound: Set<String>
  ) -> ExpressionTree {
    guard case .variable(let name) = kind, !bound.contains(name), let part = parts[name] else {
      return self
    }
    return with(.predicate(part.tree.placed(at: span)))
  }

  fileprivate func placed(at span: SourceSpan) -> ExpressionTree {
    var tree = mapParts(
      predicate: { part, _ in part.placed(at: span) },
      expression: { part, _ in part.placed(at: span) })
    tree.span = span
    return tree
  }
}
