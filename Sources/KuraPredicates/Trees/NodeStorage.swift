import KuraBytes

/// What a tall node holds when it holds nothing.
protocol LeafKind: Sendable {
  /// A kind without parts.
  static var leaf: Self { get }
  /// How many nodes stand above each other from here down, this one too.
  var height: Int { get }
}

/// The kind of a node. That of a tall tree stands in a box, which can be freed on any stack.
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

/// A node high above the leaves: Swift frees what hangs on it by going down, so it looks first
/// whether there is a stack for that.
final class TallNode<Kind: LeafKind>: Sendable {
  /// Written once more, at its end, when nobody else can see it. What is freed then is written too,
  /// inside this; Swift's check of that would go through all of them, at each level.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  deinit { DeepStack.run { kind = .leaf } }
}

/// Which trees are tall.
enum TreeHeight {
  /// So many levels any stack has room for, whatever goes down them.
  static let walked = 8
  /// So many can be freed on any stack.
  static let freed = 64
}

extension PredicateTree {
  /// Runs what goes down this tree, where there is a stack for it.
  @inline(__always)
  package func descending<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    height > TreeHeight.walked ? try DeepStack.run(body) : try body()
  }
}

extension ExpressionTree {
  /// Runs what goes down this tree, where there is a stack for it.
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
      expression: { below = max(below, $0.height) })
    if case .fetch(let fetch) = self { below = fetch.height }
    return 1 + below
  }
}

extension FetchTree {
  /// The height of its tallest clause.
  fileprivate var height: Int {
    let predicates = [predicate, having].compactMap(\.self)
    let values = [offset, limit, batch, section, source.objects].compactMap(\.self)
    let columns = (selection ?? []).map(\.expression)
    let expressions = values + columns + sort.map(\.expression) + grouping
    return max(
      predicates.reduce(0) { max($0, $1.height) }, expressions.reduce(0) { max($0, $1.height) })
  }
}
