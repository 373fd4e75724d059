import KuraPredicates
import KuraValues

#if canImport(ObjectiveC)
  public import Foundation
  import KuraPredicates

  // Conversions to and from Apple's classes through their texts; a closure cannot be converted
  extension KUPredicate {
    /// Creates a predicate from the format of an `NSPredicate`.
    ///
    /// Linear in the format. Throws a diagnostic for a predicate with a closure, or another without
    /// a format.
    public convenience init(_ predicate: NSPredicate) throws {
      try self.init(PredicateTree(parsing: predicate.predicateFormat))
    }

    /// The predicate as an `NSPredicate`. It raises an exception if the format uses syntax that
    /// only Kura has. Linear in the tree.
    public var nsPredicate: NSPredicate { NSPredicate(format: predicateFormat) }
  }

  extension KUSortDescriptor {
    /// Creates a sort descriptor with the key and direction of an `NSSortDescriptor`, whose
    /// selector or comparator is ignored.
    public convenience init(_ descriptor: NSSortDescriptor) {
      self.init(key: descriptor.key, ascending: descriptor.ascending)
    }

    /// The key and direction as an `NSSortDescriptor`, without the comparison of texts.
    public var nsSortDescriptor: NSSortDescriptor {
      NSSortDescriptor(key: key, ascending: ascending)
    }
  }
#endif

/// The variables of a predicate or an expression, bound to values or other expressions.
struct BoundVariables {
  private var expressions: [String: ExpressionTree] = [:]
  /// The variables that are bound to values.
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
  /// Returns a predicate with expressions inserted for their variables.
  func placed(in tree: PredicateTree) -> PredicateTree {
    expressions.isEmpty ? tree : tree.rewritingExpressions(placed)
  }

  /// Returns an expression with expressions inserted for their variables.
  func placed(in tree: ExpressionTree) -> ExpressionTree {
    expressions.isEmpty ? tree : tree.rewritingExpressions(placed)
  }

  /// Returns the replacement for a single node.
  private func placed(_ tree: ExpressionTree, _ bound: Set<String>) -> ExpressionTree {
    guard case .variable(let name) = tree.kind, !bound.contains(name) else { return tree }
    return expressions[name] ?? tree
  }
}
