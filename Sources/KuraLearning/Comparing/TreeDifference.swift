import KuraPredicates

/// The smallest parts in which two predicates differ.
struct TreeDifference {
  /// The part of the first predicate; nil if the other predicate has an additional part.
  let first: PredicateTree?
  let second: PredicateTree?

  /// Finds the parts; nil for equal predicates.
  init?(_ first: PredicateTree, _ second: PredicateTree) {
    guard first != second else { return nil }
    self = first.descending { Self.smallest(first, second) }
  }

  private init(first: PredicateTree?, second: PredicateTree?) {
    self.first = first
    self.second = second
  }

  private static func smallest(_ a: PredicateTree, _ b: PredicateTree) -> TreeDifference {
    switch (a.kind, b.kind) {
    case (.not(let x), .not(let y)): return inner(x, y)
    case (.and(let x), .and(let y)), (.or(let x), .or(let y)):
      let (restX, restY) = (x.without(y), y.without(x))
      if restX.count == 1, restY.count == 1 { return inner(restX[0], restY[0]) }
      if restX.isEmpty, restY.count == 1 { return TreeDifference(first: nil, second: restY[0]) }
      if restY.isEmpty, restX.count == 1 { return TreeDifference(first: restX[0], second: nil) }
    case (.and(let x), _) where x.without([b]).count == 1 && x.count == 2:
      return TreeDifference(first: x.without([b])[0], second: nil)
    case (_, .and(let y)) where y.without([a]).count == 1 && y.count == 2:
      return TreeDifference(first: nil, second: y.without([a])[0])
    default: break
    }
    return TreeDifference(first: a, second: b)
  }

  private static func inner(_ a: PredicateTree, _ b: PredicateTree) -> TreeDifference {
    TreeDifference(a, b) ?? TreeDifference(first: a, second: b)
  }
}

extension [PredicateTree] {
  /// Returns the parts that another list lacks, with their multiplicity.
  fileprivate func without(_ others: [PredicateTree]) -> [PredicateTree] {
    var others = others
    return filter { part in
      guard let place = others.firstIndex(of: part) else { return true }
      others.remove(at: place)
      return false
    }
  }
}

extension TreeDifference {
  /// The rule that follows from the two parts alone; nil if it depends on the data.
  var rule: SeparatingRule? {
    guard let first, let second else { return nil }
    if let rule = Self.rule(first, second) { return rule }
    let (a, b) = (first.shape, second.shape)
    if a.subqueries != b.subqueries, max(a.quantified, b.quantified) > 1 { return .sameElement }
    if a.modifiers != b.modifiers || a.quantified > 0 && b.quantified > 0 { return .quantifiers }
    let isJoined = first.leaves.count > 1
    return isJoined && Set(first.leaves) == Set(second.leaves) ? .connectives : nil
  }

  /// Returns the rule of two comparisons with the same operands.
  private static func rule(_ a: PredicateTree, _ b: PredicateTree) -> SeparatingRule? {
    guard case .comparison(let x) = a.kind, case .comparison(let y) = b.kind, x.left == y.left,
      x.right == y.right
    else { return nil }
    if x.modifier != y.modifier { return .quantifiers }
    if x.operation == y.operation {
      let options = x.options.symmetricDifference(y.options)
      return options.isEmpty ? nil : .letters(options)
    }
    if y.operation == x.operation.complement?.mirrored, x.operation.family == .order {
      return .border
    }
    return .operators(x.operation.text, y.operation.text)
  }
}

extension PredicateTree {
  /// The number of its quantifiers and subqueries, and its modifiers.
  fileprivate var shape: (quantified: Int, subqueries: Int, modifiers: Set<ComparisonModifier>) {
    let nodes = allNodes
    let quantified = nodes.comparisons.map(\.modifier).filter { $0 != .direct }
    let subqueries = nodes.expressions.count {
      if case .subquery = $0.kind { true } else { false }
    }
    return (quantified.count, subqueries, Set(quantified))
  }
}
