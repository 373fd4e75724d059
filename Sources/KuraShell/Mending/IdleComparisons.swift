import KuraPredicates
import KuraScript

extension TypedStatements {
  /// The number of comparisons between two literals, which nobody intends: `"2025-12-28" == ""`.
  var idleComparisons: Int {
    all.reduce(0) { sum, part in
      guard case .statement(let statement) = part else { return sum }
      return sum + Attempt.nodes(of: statement).reduce(0) { $0 + $1.idleComparisons }
    }
  }
}

extension TreeNode {
  /// The number of comparisons between two literals.
  var idleComparisons: Int {
    var count = 0
    walk { node, _ in
      if case .predicate(let tree) = node, case .comparison(let comparison) = tree.kind,
        case .constant = comparison.left.kind, case .constant = comparison.right.kind
      {
        count += 1
      }
      return .into
    }
    return count
  }
}
