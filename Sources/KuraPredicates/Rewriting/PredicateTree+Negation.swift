extension PredicateTree {
  /// The opposite: NOT around it, or the one there is taken away.
  ///
  ///     try PredicateTree(parsing: "NOT a == 1").negated   // a == 1
  ///
  /// True where this is false, false where this is true; an error where this is one.
  public var negated: PredicateTree {
    switch kind {
    case .not(let inside): inside
    case .constant(let answer): PredicateTree(.constant(!answer), span: span)
    case .comparison, .and, .or, .truth: PredicateTree(.not(self), span: span)
    }
  }

  /// The tree with NOT only in front of single comparisons.
  ///
  ///     try PredicateTree(parsing: "NOT (a == 1 AND b < 2)").inNegationNormalForm
  ///     // a != 1 OR (NOT b < 2)
  ///
  /// `NOT b < 2` stays: it is true where b is nil, and `b >= 2` is not. Only `==` and `!=` are
  /// each other's opposite, and with them `ANY … ==` and `ALL … !=`. The parts are evaluated in the
  /// same order and as far as before, so that the result is the same, errors included. Linear.
  public var inNegationNormalForm: PredicateTree { pushed(negating: false) }

  private func pushed(negating: Bool) -> PredicateTree {
    descending { pushedKind(negating: negating) }
  }

  private func pushedKind(negating: Bool) -> PredicateTree {
    switch kind {
    case .not(let inside): inside.pushed(negating: !negating)
    case .and(let parts), .or(let parts): connected(parts, isOr: isOr != negating, negating)
    case .constant(let answer): PredicateTree(.constant(answer != negating), span: span)
    case .comparison(let comparison):
      negating ? comparison.negated(at: self) : self
    case .truth: negating ? negated : self
    }
  }

  private var isOr: Bool { if case .or = kind { true } else { false } }

  private func connected(
    _ parts: [PredicateTree], isOr: Bool, _ negating: Bool
  ) -> PredicateTree {
    let parts = parts.map { $0.pushed(negating: negating) }
    return PredicateTree(isOr ? .or(parts) : .and(parts), span: span)
  }
}

extension Comparison {
  fileprivate func negated(at tree: PredicateTree) -> PredicateTree {
    guard let opposite = operation.opposite else { return tree.negated }
    var comparison = self
    comparison.operation = opposite
    comparison.modifier = modifier.opposite
    return PredicateTree(.comparison(comparison), span: tree.span)
  }
}

extension ComparisonOperator {
  /// The operator that is true where this one is false, whatever stands beside it.
  fileprivate var opposite: ComparisonOperator? {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like, .beginsWith, .endsWith,
      .contains, .in, .between, .selector, .unsupported:
      nil
    }
  }
}

extension ComparisonModifier {
  fileprivate var opposite: ComparisonModifier {
    switch self {
    case .direct: .direct
    case .any: .all
    case .all: .any
    }
  }
}
