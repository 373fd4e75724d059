import KuraDiagnostics
import KuraPredicates
import KuraValues

// A nested fetch that compares its objects with the object of the enclosing fetch
extension FetchTree {
  /// Returns the fetch as a SUBQUERY over a fetch that runs once. In `fetch Shop as $s`, `(count Order where paid == YES
  /// AND city == $s.city)` becomes `SUBQUERY((fetch Order where paid == YES), $o, $o.city == city).@count`, a hash join.
  ///
  /// Returns nil for a fetch that does not read the variable in its predicate only, and for one with other clauses than
  /// `where` and `sort`. Such a fetch runs for each object.
  func joined(to name: String) -> ExpressionTree? {
    guard isFilter, let predicate, predicate.first(where: \.isFetch) == nil else { return nil }
    let parts = predicate.conjuncts
    let correlated = parts.filter { $0.variables.contains(name) }
    guard !correlated.isEmpty, source.objects == nil,
      !sort.contains(where: { $0.expression.variables.contains(name) })
    else { return nil }
    var inner = self
    inner.result = .objects
    inner.predicate = .all(parts.filter { !$0.variables.contains(name) })
    let element = name + "'"
    let condition = PredicateTree(
      .and(correlated.map { $0.rooted(in: element).naming(objectName, element) }),
      span: predicate.span)
    let objects = ExpressionTree(
      .subquery(ExpressionTree(.fetch(inner), span: span), variable: element, condition), span: span
    )
    return result == .objects ? objects : objects.counted(result)
  }

  /// Whether it only filters and sorts.
  private var isFilter: Bool {
    offset == nil && limit == nil && limitKeys.isEmpty && batch == nil && selection == nil
      && !isDistinct && grouping.isEmpty && having == nil && section == nil
  }
}

extension PredicateTree {
  /// Returns the predicate with another name of a variable.
  fileprivate func naming(_ old: String?, _ new: String) -> PredicateTree {
    replacing { $0.isVariable(old) ? ExpressionTree(.variable(new), span: $0.span) : nil }
  }
}

extension ExpressionTree {
  fileprivate var isFetch: Bool { if case .fetch = kind { true } else { false } }

  /// Returns whether it is the variable of a name.
  func isVariable(_ name: String?) -> Bool {
    if case .variable(let variable) = kind { variable == name } else { false }
  }

  /// Returns the number of elements, or whether there are any.
  fileprivate func counted(_ result: FetchTree.Result) -> ExpressionTree {
    let count = ExpressionTree(
      .keyPath(KeyPathTree(base: self, [KeyComponent("count", .collectionOperator, span: span)])),
      span: span)
    guard result == .exists else { return count }
    let zero = ExpressionTree(.constant(Constant(.integer(0))), span: span)
    let isAny = PredicateTree(.comparison(Comparison(count, .greater, zero)), span: span)
    return ExpressionTree(.predicate(isAny), span: span)
  }
}
