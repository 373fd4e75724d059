package import KuraDiagnostics
public import KuraValues

/// Rebuilds trees from the leaves up; spans are unchanged.
struct TreeRewriter<Failure: Error> {
  /// Rewrites a predicate whose parts have been rewritten.
  var predicate: (PredicateTree, _ bound: Set<String>) throws(Failure) -> PredicateTree = {
    tree, _ in tree
  }
  /// Rewrites an expression whose parts have been rewritten.
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
      expression: { part, binding throws(Failure) in try rewrite(part, bound.binding(binding)) })
    return try expression(rewritten, bound)
  }
}

extension TreeRewriter<Never> {
  fileprivate static var simplifying: Self {
    Self(predicate: { tree, _ in tree.simplifiedNode }, expression: { tree, _ in tree.folded })
  }
}

extension Set<String> {
  /// Returns the bound variables, with one more if there is one.
  func binding(_ name: String?) -> Set<String> { name.map { union([$0]) } ?? self }
}

extension PredicateTree {
  /// Returns the tree with every predicate in it replaced, from the leaves up.
  ///
  /// `body` receives a predicate whose parts have been rewritten, and the variables that enclosing
  /// SUBQUERYs bind. Linear in the tree, in addition to `body`. Throws what `body` throws.
  public func rewritingPredicates<Failure: Error>(
    _ body: (PredicateTree, _ bound: Set<String>) throws(Failure) -> PredicateTree
  ) throws(Failure) -> PredicateTree {
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try TreeRewriter(predicate: body).rewrite(self)
    }
  }

  /// Returns the tree with every expression in it replaced, from the leaves up.
  ///
  ///     predicate.rewritingExpressions { tree, _ in tree == old ? new : tree }
  ///
  /// `body` receives an expression whose parts have been rewritten, and the variables that
  /// enclosing SUBQUERYs bind. Linear in the tree, in addition to `body`. Throws what `body`
  /// throws.
  public func rewritingExpressions<Failure: Error>(
    _ body: (ExpressionTree, _ bound: Set<String>) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> PredicateTree {
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try TreeRewriter(expression: body).rewrite(self)
    }
  }
}

extension ExpressionTree {
  /// Returns the tree with every predicate in it replaced, from the leaves up.
  ///
  /// `body` receives a predicate whose parts have been rewritten, and the variables that enclosing
  /// SUBQUERYs bind. Linear in the tree, in addition to `body`. Throws what `body` throws.
  public func rewritingPredicates<Failure: Error>(
    _ body: (PredicateTree, _ bound: Set<String>) throws(Failure) -> PredicateTree
  ) throws(Failure) -> ExpressionTree {
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try TreeRewriter(predicate: body).rewrite(self)
    }
  }

  /// Returns the tree with every expression in it replaced, from the leaves up.
  ///
  /// `body` receives an expression whose parts have been rewritten, and the variables that
  /// enclosing SUBQUERYs bind. Linear in the tree, in addition to `body`. Throws what `body`
  /// throws.
  public func rewritingExpressions<Failure: Error>(
    _ body: (ExpressionTree, _ bound: Set<String>) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> ExpressionTree {
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try TreeRewriter(expression: body).rewrite(self)
    }
  }
}

extension ExpressionTree {
  /// Returns the tree with some nodes replaced, from the root down. If `replace` returns nil, it is
  /// called for the parts of the node; a replacement is not searched again.
  ///
  /// An indexed key after a dot is unchanged, because its keys belong to another object.
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
      expression: { part, _ throws(Failure) in try part.replacing(replace) })
  }
}

extension PredicateTree {
  /// Returns the predicate with some of its expressions replaced, as for an expression.
  package func replacing<Failure: Error>(
    _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> PredicateTree {
    try mapParts(
      predicate: { part throws(Failure) in try part.replacing(replace) },
      expression: { part throws(Failure) in try part.replacing(replace) })
  }
}

extension PredicateTree {
  /// Returns the tree with values for its variables.
  ///
  ///     try PredicateTree(parsing: "date < $today").substituting(["today": .date(.now)])
  ///
  /// Only free variables are replaced: the `$i` of `SUBQUERY(items, $i, …)` is not. A string can
  /// also replace a key, such as `$b` in `$a.$b`. Variables without a value remain. Linear in the
  /// tree.
  public func substituting(_ values: [String: Value]) -> PredicateTree {
    rewritingExpressions { tree, bound in tree.substituted(values, bound) }
  }
}

extension ExpressionTree {
  /// Returns the tree with values for its free variables.
  ///
  ///     try ExpressionTree(parsing: "price * $tax").substituting(["tax": 1.1])
  ///
  /// Linear in the tree.
  public func substituting(_ values: [String: Value]) -> ExpressionTree {
    rewritingExpressions { tree, bound in tree.substituted(values, bound) }
  }

  /// Returns this node with a value instead of a variable.
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
  /// Returns the keys that the value of a variable names; the component itself if the value is not
  /// a string.
  fileprivate func keys(named value: Value?) -> [KeyComponent] {
    guard case .string(let text) = value else { return [self] }
    return text.split(separator: ".").map { KeyComponent(String($0), span: span) }
  }
}

extension PredicateTree {
  /// An equivalent tree with constants computed, chains joined and double negations removed.
  ///
  ///     try PredicateTree(parsing: "NOT (NOT a > 60 * 60) AND (TRUEPREDICATE AND b == 1)")
  ///       .simplified   // a > 3600 AND b == 1
  ///
  /// The result is the same for every object, including errors: `a == 1 AND FALSEPREDICATE` remains
  /// because `a` can fail, but parts after FALSEPREDICATE are removed. Linear in the tree for most
  /// predicates, in addition to the cost of computing the constants.
  public var simplified: PredicateTree { TreeRewriter.simplifying.rewrite(self) }

  /// This node, simplified; its parts already are.
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

  /// The result of a comparison that is the same for all objects.
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

  /// Returns the parts of a chain of this connective; anything else is one part.
  private func links(ofOr isOr: Bool) -> [PredicateTree] {
    switch kind {
    case .and(let parts) where !isOr: parts
    case .or(let parts) where isOr: parts
    case .comparison, .not, .and, .or, .constant, .truth: [self]
    }
  }
}

extension PredicateTree {
  /// Returns a chain without redundant parts: FALSE ends an AND, and TRUE is omitted. For OR it is
  /// the opposite.
  ///
  /// Parts before the end remain, because they can fail; parts after it are never evaluated.
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
  /// An equivalent tree with constants computed.
  ///
  ///     try ExpressionTree(parsing: "age * (12 * 4)").simplified   // age * 48
  ///
  /// The result is the same for every object, including errors. A result with a fraction is not
  /// inserted, because next to a decimal the digits of a literal matter, and a computed double has
  /// none. Linear in the tree for most expressions, in addition to the cost of computing the
  /// constants.
  public var simplified: ExpressionTree { TreeRewriter.simplifying.rewrite(self) }

  /// This node, simplified; its parts already are.
  fileprivate var folded: ExpressionTree {
    switch kind {
    case .function(let call):
      call.function?.circumstances.isEmpty == true && call.arguments.allSatisfy(\.isFixed)
        ? computed ?? self : self
    case .index(let list, let place): list.isFixed && place.isFixed ? computed ?? self : self
    case .ternary(let condition, let yes, let no): branch(condition, yes, no) ?? self
    case .constant, .evaluatedObject, .variable, .keyPath, .message, .indexAfterDot, .aggregate,
      .subquery, .mapped, .setOperation, .assignment, .anyKey, .objectOrQuotient, .predicate,
      .fetch:
      self
    }
  }

  /// Returns the branch that is always taken, if it has the same meaning on its own.
  private func branch(
    _ condition: PredicateTree, _ yes: ExpressionTree, _ no: ExpressionTree
  ) -> ExpressionTree? {
    guard case .constant(let answer) = condition.kind else { return nil }
    let branch = answer ? yes : no
    switch branch.kind {
    // The digits of a literal matter next to a decimal, and a set at the end of a path equals a
    // list.
    case .constant(let constant):
      if case .double = constant.value { return nil }
      return branch
    case .keyPath: return nil
    default: return branch
    }
  }

  /// The value, if it can be computed and its literal has the same meaning.
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
