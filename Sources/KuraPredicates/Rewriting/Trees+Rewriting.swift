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
