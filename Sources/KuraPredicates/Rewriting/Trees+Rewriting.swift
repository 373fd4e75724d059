public import KuraValues

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
    let rewritten = try tree.mapParts(
      predicate: { part throws(Failure) in try rewrite(part, bound) },
      expression: { part throws(Failure) in try rewrite(part, bound) })
    return try predicate(rewritten, bound)
  }

  func rewrite(_ tree: ExpressionTree, _ bound: Set<String> = []) throws(Failure) -> ExpressionTree
  {
    let rewritten = try tree.mapParts(
      predicate: { part, binding throws(Failure) in try rewrite(part, bound.binding(binding)) },
      expression: { part throws(Failure) in try rewrite(part, bound) })
    return try expression(rewritten, bound)
  }
}

extension Set<String> {
  /// The variables that are bound below, where one more may be.
  func binding(_ name: String?) -> Set<String> { name.map { union([$0]) } ?? self }
}

extension PredicateTree {
  /// The tree with every predicate in it replaced by what the body makes of it, from below.
  ///
  /// The body sees a predicate whose parts have been rewritten, and the variables that SUBQUERYs
  /// around it bind. Linear in the tree, besides the body. Throws what the body throws.
  public func rewritingPredicates<Failure: Error>(
    _ body: (PredicateTree, _ bound: Set<String>) throws(Failure) -> PredicateTree
  ) throws(Failure) -> PredicateTree {
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try TreeRewriter(predicate: body).rewrite(self)
    }
  }

  /// The tree with every expression in it replaced by what the body makes of it, from below.
  ///
  ///     predicate.rewritingExpressions { tree, _ in tree == old ? new : tree }
  ///
  /// The body sees an expression whose parts have been rewritten, and the variables that SUBQUERYs
  /// around it bind. Linear in the tree, besides the body. Throws what the body throws.
  public func rewritingExpressions<Failure: Error>(
    _ body: (ExpressionTree, _ bound: Set<String>) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> PredicateTree {
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try TreeRewriter(expression: body).rewrite(self)
    }
  }
}

extension ExpressionTree {
  /// The tree with every predicate in it replaced by what the body makes of it, from below.
  ///
  /// The body sees a predicate whose parts have been rewritten, and the variables that SUBQUERYs
  /// around it bind. Linear in the tree, besides the body. Throws what the body throws.
  public func rewritingPredicates<Failure: Error>(
    _ body: (PredicateTree, _ bound: Set<String>) throws(Failure) -> PredicateTree
  ) throws(Failure) -> ExpressionTree {
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try TreeRewriter(predicate: body).rewrite(self)
    }
  }

  /// The tree with every expression in it replaced by what the body makes of it, from below.
  ///
  /// The body sees an expression whose parts have been rewritten, and the variables that SUBQUERYs
  /// around it bind. Linear in the tree, besides the body. Throws what the body throws.
  public func rewritingExpressions<Failure: Error>(
    _ body: (ExpressionTree, _ bound: Set<String>) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> ExpressionTree {
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try TreeRewriter(expression: body).rewrite(self)
    }
  }
}

extension ExpressionTree {
  /// The tree with some of its nodes replaced, from the top: what `replace` gives is not looked
  /// into again, and where it gives nil the parts of the node are asked.
  ///
  /// What follows a dot and has an index is left as it is: its keys are another object's.
  package func replacing<Failure: Error>(
    _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> ExpressionTree {
    if let replacement = try replace(self) { return replacement }
    if case .indexAfterDot(let base, let indexed) = kind {
      let base = try descending { () throws(Failure) in try base.replacing(replace) }
      return ExpressionTree(.indexAfterDot(base, indexed), span: span)
    }
    return try mapParts(
      predicate: { part, _ throws(Failure) in try part.replacing(replace) },
      expression: { part throws(Failure) in try part.replacing(replace) })
  }
}

extension PredicateTree {
  /// The predicate with some of its expressions replaced, as in an expression.
  package func replacing<Failure: Error>(
    _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> PredicateTree {
    try mapParts(
      predicate: { part throws(Failure) in try part.replacing(replace) },
      expression: { part throws(Failure) in try part.replacing(replace) })
  }
}

extension PredicateTree {
  /// The tree with values for its variables.
  ///
  ///     try PredicateTree(parsing: "date < $today").substituting(["today": .date(.now)])
  ///
  /// Only free variables are replaced: the `$i` of `SUBQUERY(items, $i, …)` stays its own. A string
  /// also takes the place of a key, `$b` in `$a.$b`. Variables without a value stay. Linear.
  public func substituting(_ values: [String: Value]) -> PredicateTree {
    rewritingExpressions { tree, bound in tree.substituted(values, bound) }
  }
}

extension ExpressionTree {
  /// The tree with values for its variables; only free ones are replaced.
  ///
  ///     try ExpressionTree(parsing: "price * $tax").substituting(["tax": 1.1])
  ///
  /// Linear.
  public func substituting(_ values: [String: Value]) -> ExpressionTree {
    rewritingExpressions { tree, bound in tree.substituted(values, bound) }
  }

  /// This node alone, with a value in the place of a variable.
  fileprivate func substituted(_ values: [String: Value], _ bound: Set<String>) -> ExpressionTree {
    switch kind {
    case .variable(let name):
      guard !bound.contains(name), let value = values[name] else { return self }
      return ExpressionTree(.constant(Constant(value)), span: span)
    case .keyPath(var path) where path.components.contains { $0.kind == .variable }:
      path.components = path.components.flatMap { component in
        component.kind == .variable && !bound.contains(component.name)
          ? component.keys(named: values[component.name]) : [component]
      }
      return ExpressionTree(.keyPath(path), span: span)
    default: return self
    }
  }
}

extension KeyComponent {
  /// The keys that a variable's value names; itself if that is no string.
  fileprivate func keys(named value: Value?) -> [KeyComponent] {
    guard case .string(let text) = value else { return [self] }
    return text.split(separator: ".").map { KeyComponent(String($0), span: span) }
  }
}
