import KuraPredicates
import KuraValues

// Comparisons of choices among values
extension FilterCompiler {
  /// Compiles `TERNARY(done == YES, cost, 0) > 5` as `done == YES AND cost > 5 OR NOT done == YES AND 0 > 5` if kernels
  /// answer that faster; otherwise returns nil.
  ///
  /// `left`: the compiled left side.
  mutating func choiceLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ left: any VectorNode,
    insteadOf kernel: any ChunkKernel, _ scope: FilterScope
  ) -> Filter? {
    guard comparison.left.height <= Self.highestChoice, let literal = comparison.right.literal,
      left.kind.isKind(of: literal), let chosen = chosen(comparison, left)
    else { return nil }
    var folding = ConstantFolding(environment)
    let filter = filter(folding.folded(chosen), scope)
    guard filter.isOfKernels, filter.cost < kernel.cost else { return nil }
    return Filter(predicate: predicate, node: filter.node, kind: filter.kind)
  }

  /// Choices are compiled twice, as values and as predicates; nested choices would multiply that.
  private static let highestChoice = 12

  private func chosen(_ comparison: Comparison, _ node: any VectorNode) -> PredicateTree? {
    switch comparison.left.kind {
    case .ternary(let condition, let yes, let no):
      guard TreeNode.predicate(condition).ownPaths != nil else { return nil }
      return PredicateTree(
        .or([
          PredicateTree(.and([condition, comparison.comparing(yes)])),
          PredicateTree(.and([condition.turned, comparison.comparing(no)])),
        ]))
    // An error in a part is an error of the whole, even if the part is not needed.
    case .function(let call) where call.builtIn == .coalesce && node.neverFallsBack:
      return first(call.arguments[...], comparison)
    default: return nil
    }
  }

  /// Returns a predicate about the first value that is not nil.
  private func first(
    _ parts: ArraySlice<ExpressionTree>, _ comparison: Comparison
  ) -> PredicateTree? {
    guard let part = parts.first, TreeNode.expression(part).ownPaths != nil else { return nil }
    if parts.count == 1 { return comparison.comparing(part) }
    guard let rest = first(parts.dropFirst(), comparison) else { return nil }
    let null = ExpressionTree(.constant(Constant(.null)))
    let isNull = PredicateTree(.comparison(Comparison(part, .equal, null)))
    return PredicateTree(
      .or([
        PredicateTree(.and([isNull.turned, comparison.comparing(part)])),
        PredicateTree(.and([isNull, rest])),
      ]))
  }
}

extension Comparison {
  /// Returns the comparison with another left side.
  fileprivate func comparing(_ left: ExpressionTree) -> PredicateTree {
    var comparison = self
    comparison.left = left
    return PredicateTree(.comparison(comparison))
  }
}

extension VectorKind {
  /// Returns whether a literal has this kind, so that no text is read as a date or a number.
  fileprivate func isKind(of literal: Value) -> Bool {
    if case .list(let elements) = literal { return elements.allSatisfy(isKind) }
    guard let other = ConstantNode(literal)?.kind else { return false }
    return isNumber == other.isNumber && (isNumber || self == other)
  }
}
