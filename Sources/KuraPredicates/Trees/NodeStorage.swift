import KuraBytes

/// A kind that has an empty value, for a tall node that is being freed.
protocol LeafKind: Sendable {
  /// A kind without parts.
  static var leaf: Self { get }
  /// The number of levels from this node down.
  var height: Int { get }
}

/// The kind of a node. A tall tree stores it in a box, which can be freed on any stack.
enum NodeStorage<Kind: LeafKind>: Sendable {
  case low(Kind)
  case tall(TallNode<Kind>)

  @inline(__always)
  init(_ kind: Kind, height: Int) {
    self = height > TreeHeight.freed ? .tall(TallNode(kind)) : .low(kind)
  }

  @inline(__always)
  var kind: Kind {
    switch self {
    case .low(let kind): kind
    case .tall(let node): node.kind
    }
  }
}

/// A node high above the leaves. Swift frees its parts recursively, so `deinit` first ensures that
/// the stack is large enough.
final class TallNode<Kind: LeafKind>: Sendable {
  /// Written once more in `deinit`, when no other code can access it. This write frees the parts,
  /// which write their own; the runtime exclusivity check would visit all of them at each level.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  deinit { DeepStack.run { kind = .leaf } }
}

/// The heights at which trees need special treatment.
enum TreeHeight {
  /// The number of levels for which any stack has room, whatever function descends.
  static let walked = 8
  /// The number of levels that can be freed on any stack.
  static let freed = 64
}

/// A tree or one of its nodes.
package protocol TallTree {
  /// The number of levels; 1 for a leaf.
  var height: Int { get }
}

extension PredicateTree: TallTree {}
extension ExpressionTree: TallTree {}

extension TallTree {
  /// Calls a closure that descends this tree, on a larger stack if necessary.
  @inline(__always)
  package func descending<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    height > TreeHeight.walked ? try DeepStack.run(body) : try body()
  }
}

extension PredicateTree.Kind: LeafKind {
  static var leaf: Self { .constant(true) }

  var height: Int {
    var below = 0
    forEachPart(
      predicate: { below = max(below, $0.height) }, expression: { below = max(below, $0.height) })
    return 1 + below
  }
}

extension ExpressionTree.Kind: LeafKind {
  static var leaf: Self { .anyKey }

  var height: Int {
    var below = 0
    forEachPart(
      predicate: { tree, _ in below = max(below, tree.height) },
      expression: { tree, _ in below = max(below, tree.height) })
    if case .fetch(let fetch) = self { below = fetch.height }
    return 1 + below
  }
}

extension FetchTree {
  /// The height of its tallest clause.
  fileprivate var height: Int {
    clauses.map(\.height).max() ?? 0
  }
}
