/// Makes trees anew from below; spans stay where they were.
struct TreeRewriter<Failure: Error> {
  /// What becomes of a predicate whose parts have been rewritten.
  var predicate: (PredicateTree, _ bound: Set<String>) throws(Failure) -> PredicateTree = {
    tree, _ in tree
  }
  /// What becomes of an expression whose parts have been rewritten.
  var expression: (ExpressionTree, _ bound: Set<String>) throws(Failure) -> ExpressionTree = {
    tree, _ in tree
  }
}

extension TreeRewriter {
  func rewrite(_ tree: PredicateTree, _ bound: Set<String> = []) throws(Failure) -> PredicateTree {
    let kind = try tree.descending { () throws(Failure) in try parts(tree.kind, bound) }
    return try predicate(PredicateTree(kind, span: tree.span), bound)
  }

  private func parts(
    _ kind: PredicateTree.Kind, _ bound: Set<String>
  ) throws(Failure) -> PredicateTree.Kind {
    switch kind {
    case .comparison(let comparison): .comparison(try parts(comparison, bound))
    case .not(let inside): .not(try rewrite(inside, bound))
    case .and(let parts): .and(try rewrite(parts, bound))
    case .or(let parts): .or(try rewrite(parts, bound))
    case .constant: kind
    case .truth(let inner): .truth(try rewrite(inner, bound))
    }
  }

  private func rewrite(
    _ trees: [PredicateTree], _ bound: Set<String>
  ) throws(Failure) -> [PredicateTree] {
    var result: [PredicateTree] = []
    result.reserveCapacity(trees.count)
    for tree in trees { result.append(try rewrite(tree, bound)) }
    return result
  }

  private func parts(_ comparison: Comparison, _ bound: Set<String>) throws(Failure) -> Comparison {
    var comparison = comparison
    comparison.left = try rewrite(comparison.left, bound)
    comparison.right = try rewrite(comparison.right, bound)
    return comparison
  }
}

extension TreeRewriter {
  func rewrite(_ tree: ExpressionTree, _ bound: Set<String> = []) throws(Failure) -> ExpressionTree
  {
    let kind = try tree.descending { () throws(Failure) in try parts(tree.kind, bound) }
    return try expression(ExpressionTree(kind, span: tree.span), bound)
  }

  private func parts(
    _ kind: ExpressionTree.Kind, _ bound: Set<String>
  ) throws(Failure) -> ExpressionTree.Kind {
    switch kind {
    case .constant, .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .fetch: return kind
    case .keyPath(var path):
      if let base = path.base { path.base = try rewrite(base, bound) }
      return .keyPath(path)
    case .function(var call):
      call.arguments = try rewrite(call.arguments, bound)
      return .function(call)
    case .message(let target, let selector, let arguments):
      return .message(
        target: try rewrite(target, bound), selector: selector,
        arguments: try rewrite(arguments, bound))
    case .index(let list, let place):
      return .index(try rewrite(list, bound), try rewrite(place, bound))
    case .indexAfterDot(let base, let indexed):
      return .indexAfterDot(try rewrite(base, bound), try rewrite(indexed, bound))
    case .aggregate(let elements): return .aggregate(try rewrite(elements, bound))
    case .subquery(let collection, let variable, let predicate):
      return .subquery(
        try rewrite(collection, bound), variable: variable,
        try rewrite(predicate, bound.union([variable])))
    case .ternary(let condition, let yes, let no):
      return .ternary(
        try rewrite(condition, bound), try rewrite(yes, bound), try rewrite(no, bound))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, try rewrite(left, bound), try rewrite(right, bound))
    case .assignment(let name, let value): return .assignment(name, try rewrite(value, bound))
    case .predicate(let predicate): return .predicate(try rewrite(predicate, bound))
    }
  }

  private func rewrite(
    _ trees: [ExpressionTree], _ bound: Set<String>
  ) throws(Failure) -> [ExpressionTree] {
    var result: [ExpressionTree] = []
    result.reserveCapacity(trees.count)
    for tree in trees { result.append(try rewrite(tree, bound)) }
    return result
  }

  private func rewrite(_ place: IndexKind, _ bound: Set<String>) throws(Failure) -> IndexKind {
    switch place {
    case .first, .last, .size: place
    case .at(let index): .at(try rewrite(index, bound))
    }
  }
}
