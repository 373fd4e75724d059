import KuraPredicates
import KuraValues

/// What the variables of a predicate or an expression stand for: values, or other expressions.
struct BoundVariables {
  private var expressions: [String: ExpressionTree] = [:]
  /// All that stand for no expression.
  private(set) var values: [String: Any] = [:]

  init(_ variables: [String: Any]?) {
    for (name, bound) in variables ?? [:] {
      if let expression = bound as? KUExpression {
        expressions[name] = expression.tree
      } else {
        values[name] = bound
      }
    }
  }
}

extension BoundVariables {
  /// A predicate with the expressions in the places of their variables.
  func placed(in tree: PredicateTree) -> PredicateTree {
    expressions.isEmpty ? tree : tree.rewritingExpressions(placed)
  }

  /// An expression with the expressions in the places of their variables.
  func placed(in tree: ExpressionTree) -> ExpressionTree {
    expressions.isEmpty ? tree : tree.rewritingExpressions(placed)
  }

  /// This node alone.
  private func placed(_ tree: ExpressionTree, _ bound: Set<String>) -> ExpressionTree {
    guard case .variable(let name) = tree.kind, !bound.contains(name) else { return tree }
    return expressions[name] ?? tree
  }
}
