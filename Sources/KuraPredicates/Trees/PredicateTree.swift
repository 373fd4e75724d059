public import KuraDiagnostics

/// A predicate as a tree, each node with its place in the text.
public struct PredicateTree: Sendable {
  private var storage: NodeStorage<Kind>
  /// How many nodes stand above each other, this one and a leaf too.
  package private(set) var height: Int
  /// Where; it means nothing for equality.
  public var span: SourceSpan

  /// Makes a node.
  public init(_ kind: Kind, span: SourceSpan = .none) {
    height = kind.height
    storage = NodeStorage(kind, height: height)
    self.span = span
  }

  /// What stands at this node.
  public var kind: Kind {
    get { storage.kind }
    set { self = Self(newValue, span: span) }
  }

  /// The kinds of predicate.
  public indirect enum Kind: Sendable, Hashable {
    /// `title CONTAINS[cd] "誕生"`, `ANY tags.name == "x"`
    case comparison(Comparison)
    /// `NOT a == 1`, `!(a == 1)`; NONE is NOT of an ANY comparison
    case not(PredicateTree)
    /// `a == 1 AND b == 2 AND c == 3`: one node for a chain
    case and([PredicateTree])
    /// `a == 1 OR b == 2`
    case or([PredicateTree])
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    case constant(Bool)
    /// `set done = NOT done`: a boolean key alone, where a statement takes an expression
    case truth(ExpressionTree)
  }
}

extension PredicateTree: Hashable {
  /// Equal trees have equal nodes; spans do not count. Linear in the smaller tree.
  public static func == (a: PredicateTree, b: PredicateTree) -> Bool {
    a.descending { a.kind == b.kind }
  }
  /// Hashes the nodes without their spans. Linear in the tree.
  public func hash(into hasher: inout Hasher) { descending { hasher.combine(kind) } }
}
