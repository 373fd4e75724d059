package import KuraDiagnostics
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

extension PredicateTree {
  /// The tree without what says nothing: constants computed, chains joined, double NOT gone.
  ///
  ///     try PredicateTree(parsing: "NOT (NOT a > 60 * 60) AND (TRUEPREDICATE AND b == 1)")
  ///       .simplified   // a > 3600 AND b == 1
  ///
  /// Gives the same result for every object, errors included: `a == 1 AND FALSEPREDICATE` stays,
  /// for `a` may fail; what stands behind FALSEPREDICATE goes. Linear in the tree for most
  /// predicates, beside what it costs to compute the constants.
  public var simplified: PredicateTree {
    let rewriter = TreeRewriter<Never>(
      predicate: { tree, _ in tree.simplifiedNode }, expression: { tree, _ in tree.folded })
    return rewriter.rewrite(self)
  }

  /// This node, whose parts are simple.
  fileprivate var simplifiedNode: PredicateTree {
    switch kind {
    case .comparison: constantAnswer.map { PredicateTree(.constant($0), span: span) } ?? self
    case .not(let inside):
      switch inside.kind {
      case .not(let inner): inner
      case .constant(let answer): PredicateTree(.constant(!answer), span: span)
      case .comparison, .and, .or, .truth: self
      }
    case .and(let parts): joined(parts, absorbing: false)
    case .or(let parts): joined(parts, absorbing: true)
    case .constant, .truth: self
    }
  }

  /// The answer of a comparison that no object can change.
  private var constantAnswer: Bool? {
    guard case .comparison(let comparison) = kind, comparison.left.isFixed,
      comparison.right.isFixed, !comparison.options.contains(.localeSensitive)
    else { return nil }
    var context = EvaluationContext()
    context.exactDates = true
    return try? evaluate(on: .null, in: context)
  }

  private func joined(_ parts: [PredicateTree], absorbing end: Bool) -> PredicateTree {
    .chain(of: parts.flatMap { $0.links(ofOr: end) }, endsWith: end, span: span)
  }

  /// The parts of a chain of this connective; anything else is one part.
  private func links(ofOr isOr: Bool) -> [PredicateTree] {
    switch kind {
    case .and(let parts) where !isOr: parts
    case .or(let parts) where isOr: parts
    case .comparison, .not, .and, .or, .constant, .truth: [self]
    }
  }
}

extension PredicateTree {
  /// A chain: FALSE ends an AND, TRUE says nothing in it; for OR the other way round.
  ///
  /// What stands before the end stays, for it may fail; what stands behind is never asked.
  package static func chain(
    of parts: [PredicateTree], endsWith end: Bool, span: SourceSpan,
    _ part: (PredicateTree) -> PredicateTree = { $0 }
  ) -> PredicateTree {
    var links: [PredicateTree] = []
    for link in parts {
      let link = part(link)
      guard case .constant(let answer) = link.kind else {
        links.append(link)
        continue
      }
      if answer == end {
        links.append(link)
        break
      }
    }
    switch links.count {
    case 0: return PredicateTree(.constant(!end), span: span)
    case 1: return links[0]
    default: return PredicateTree(end ? .or(links) : .and(links), span: span)
    }
  }
}

extension ExpressionTree {
  /// The tree without what says nothing: what can be computed is.
  ///
  ///     try ExpressionTree(parsing: "age * (12 * 4)").simplified   // age * 48
  ///
  /// Gives the same value for every object, errors included. A result with a fraction is not put
  /// in: typed digits beside a decimal mean more than a computed double. Linear in the tree for
  /// most expressions, beside what it costs to compute the constants.
  public var simplified: ExpressionTree {
    let rewriter = TreeRewriter<Never>(
      predicate: { tree, _ in tree.simplifiedNode }, expression: { tree, _ in tree.folded })
    return rewriter.rewrite(self)
  }

  /// This node, whose parts are simple.
  fileprivate var folded: ExpressionTree {
    switch kind {
    case .function(let call):
      call.function?.circumstances.isEmpty == true && call.arguments.allSatisfy(\.isFixed)
        ? computed ?? self : self
    case .index(let list, let place): list.isFixed && place.isFixed ? computed ?? self : self
    case .ternary(let condition, let yes, let no): branch(condition, yes, no) ?? self
    case .constant, .evaluatedObject, .variable, .keyPath, .message, .indexAfterDot, .aggregate,
      .subquery, .setOperation, .assignment, .anyKey, .objectOrQuotient, .predicate, .fetch:
      self
    }
  }

  /// The branch that is always taken, where it means the same alone.
  private func branch(
    _ condition: PredicateTree, _ yes: ExpressionTree, _ no: ExpressionTree
  ) -> ExpressionTree? {
    guard case .constant(let answer) = condition.kind else { return nil }
    let branch = answer ? yes : no
    switch branch.kind {
    // Typed digits count beside a decimal, and a set at the end of a path equals a list.
    case .constant(let constant):
      if case .double = constant.value { return nil }
      return branch
    case .keyPath: return nil
    default: return branch
    }
  }

  /// The value, where it can be computed and its literal means the same.
  private var computed: ExpressionTree? {
    guard let value = try? evaluate(on: .null, in: EvaluationContext()) else { return nil }
    switch value {
    case .null, .boolean, .integer, .string:
      return ExpressionTree(.constant(Constant(value)), span: span)
    case .double, .decimal, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
      return nil
    }
  }
}
