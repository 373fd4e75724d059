public import KuraDiagnostics

/// A predicate as a tree. Each node has its place in the text.
public struct PredicateTree: Sendable {
  private var storage: NodeStorage<Kind>
  /// The number of levels of the tree; 1 for a leaf.
  package private(set) var height: Int
  /// The place in the text; equality ignores it.
  public var span: SourceSpan

  /// Creates a node.
  public init(_ kind: Kind, span: SourceSpan = .none) {
    height = kind.height
    storage = NodeStorage(kind, height: height)
    self.span = span
  }

  /// The kind of this node, with its parts.
  public var kind: Kind {
    get { storage.kind }
    set { self = Self(newValue, span: span) }
  }

  /// The kinds of predicate.
  public indirect enum Kind: Sendable, Hashable {
    /// `title CONTAINS[cd] "誕生"`, `ANY tags.name == "x"`
    case comparison(Comparison)
    /// `NOT a == 1`, `!(a == 1)`; NONE is a NOT with an ANY comparison
    case not(PredicateTree)
    /// `a == 1 AND b == 2 AND c == 3`: one node for a chain
    case and([PredicateTree])
    /// `a == 1 OR b == 2`
    case or([PredicateTree])
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    case constant(Bool)
    /// `set done = NOT done`: a lone Boolean key, in statements with an expression
    case truth(ExpressionTree)
  }
}

extension PredicateTree {
  /// The parts of an AND, or the predicate itself.
  package var conjuncts: [PredicateTree] {
    if case .and(let parts) = kind { parts } else { [self] }
  }

  /// Returns the AND of some parts; nil without parts.
  package static func all(_ parts: [PredicateTree]) -> PredicateTree? {
    guard let first = parts.first else { return nil }
    return parts.count == 1 ? first : PredicateTree(.and(parts), span: first.span)
  }
}

extension PredicateTree: Hashable {
  /// Returns whether both have equal nodes, without regard to spans. Linear in the smaller tree.
  public static func == (a: PredicateTree, b: PredicateTree) -> Bool {
    a.descending { a.kind == b.kind }
  }
  /// Hashes the nodes without their spans. Linear in the tree.
  public func hash(into hasher: inout Hasher) { descending { hasher.combine(kind) } }
}
