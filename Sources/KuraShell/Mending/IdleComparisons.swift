import KuraPredicates
import KuraScript

extension TypedStatements {
  /// How many comparisons hold a literal against a literal: `"2025-12-28" == ""` is what nobody means.
  var idleComparisons: Int {
    all.reduce(0) { sum, part in
      guard case .statement(let statement) = part else { return sum }
      return sum + Attempt.nodes(of: statement).reduce(0) { $0 + $1.idleComparisons }
    }
  }
}

extension TreeNode {
  /// How many comparisons in it hold a literal against a literal.
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
