import KuraPredicates
import Synchronization

/// What the expressions of a request are compiled to: one that it groups, shows and sorts by is worked out for
/// its few values once.
final class KnownNodes: Sendable {
  private let known = Mutex<[(tree: ExpressionTree, node: (any VectorNode)?)]>([])

  /// The node of a tree, made where it is not known yet; nil where it has none.
  func node(
    _ tree: ExpressionTree, _ make: () -> (any VectorNode)?
  ) -> (any VectorNode)? {
    if let known = known.withLock({ $0.first { $0.tree == tree } }) { return known.node }
    let node = make()
    known.withLock { $0.append((tree, node)) }
    return node
  }
}
