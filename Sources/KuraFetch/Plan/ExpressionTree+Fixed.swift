import KuraPredicates
import KuraValues

extension ExpressionTree {
  /// Whether there is nothing in it to compute.
  var isPlain: Bool {
    switch kind {
    case .constant, .evaluatedObject, .variable: true
    case .keyPath(let path): path.base == nil
    case .aggregate(let parts): descending { parts.allSatisfy(\.isPlain) }
    case .function, .message, .index, .indexAfterDot, .subquery, .ternary, .setOperation,
      .assignment, .anyKey, .objectOrQuotient, .predicate, .fetch:
      false
    }
  }

  /// Whether its folded parts are all it needs, and chance none of them.
  var isComputable: Bool {
    switch kind {
    case .function(let call):
      !call.depends(on: .chance) && call.arguments.allSatisfy(\.isFixed)
    case .message(let target, let selector, let arguments):
      !FunctionCall(selector, []).depends(on: .chance) && target.isFixed
        && arguments.allSatisfy(\.isFixed)
    case .index(let collection, let place): collection.isFixed && place.isFixed
    case .ternary(let condition, let yes, let no):
      condition.isConstant && yes.isFixed && no.isFixed
    default: false
    }
  }

  /// Whether the folded tree says it in other words than this one.
  ///
  /// A date does not: `now()` reads better than what it is.
  func readsOtherwise(_ folded: ExpressionTree) -> Bool {
    if case .constant(let constant) = folded.kind, case .date = constant.value { return false }
    return self != folded
  }
}

extension PredicateTree {
  /// Whether it is true or false for every object, as far as one sees.
  fileprivate var isConstant: Bool {
    switch kind {
    case .constant: true
    case .comparison(let comparison): comparison.left.isFixed && comparison.right.isFixed
    case .truth(let expression): expression.isFixed
    case .not(let inner): descending { inner.isConstant }
    case .and(let parts), .or(let parts): descending { parts.allSatisfy(\.isConstant) }
    }
  }
}
