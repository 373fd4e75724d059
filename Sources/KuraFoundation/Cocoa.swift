import KuraPredicates
import KuraValues

#if canImport(ObjectiveC)
  public import Foundation
  import KuraPredicates

  // Apple's own classes, by their texts: what neither can write, a closure, does not pass.
  extension KUPredicate {
    /// Reads what an `NSPredicate` prints.
    ///
    /// Linear in what it prints. Throws a diagnostic for a closure and for what has no text.
    public convenience init(_ predicate: NSPredicate) throws {
      try self.init(PredicateTree(parsing: predicate.predicateFormat))
    }

    /// The predicate as Apple's; it raises an exception where the text is only Kura's. Linear in
    /// the tree.
    public var nsPredicate: NSPredicate { NSPredicate(format: predicateFormat) }
  }

  extension KUSortDescriptor {
    /// The key and direction of an `NSSortDescriptor`.
    public convenience init(_ descriptor: NSSortDescriptor) {
      self.init(key: descriptor.key, ascending: descriptor.ascending)
    }

    /// The sort descriptor as Apple's.
    public var nsSortDescriptor: NSSortDescriptor {
      NSSortDescriptor(key: key, ascending: ascending)
    }
  }
#endif

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
