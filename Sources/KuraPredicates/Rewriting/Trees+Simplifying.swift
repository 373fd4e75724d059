package import KuraDiagnostics
import KuraValues

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
