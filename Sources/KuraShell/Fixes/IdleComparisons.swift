import KuraPredicates
import KuraScript

extension TypedStatements {
  /// The number of comparisons that do not depend on an object: `"2025-12-28" == ""`, `pages >
  /// pages`.
  var idleComparisons: Int {
    all.reduce(0) { sum, part in
      guard case .statement(let statement) = part else { return sum }
      return sum + Attempt.nodes(of: statement).reduce(0) { $0 + $1.idleComparisons }
    }
  }
}

extension TreeNode {
  /// The number of comparisons of two literals, or of a key with itself.
  var idleComparisons: Int {
    var count = 0
    walk { node, _ in
      if case .predicate(let tree) = node, case .comparison(let comparison) = tree.kind,
        comparison.isIdle
      {
        count += 1
      }
      return .into
    }
    return count
  }
}

extension Comparison {
  fileprivate var isIdle: Bool {
    switch (left.kind, right.kind) {
    case (.constant, .constant): true
    case (.keyPath, .keyPath): left.expressionFormat == right.expressionFormat
    default: false
    }
  }
}
