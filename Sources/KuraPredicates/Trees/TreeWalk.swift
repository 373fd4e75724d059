/// A node of either kind, as a walk visits it.
public enum TreeNode: Sendable, Hashable {
  /// A predicate.
  case predicate(PredicateTree)
  /// An expression.
  case expression(ExpressionTree)
}

extension TreeNode {
  /// Calls the body with the direct children, in the order of the text, each with the variable that
  /// is bound for it.
  package func forEachChild<Failure: Error>(
    _ body: (TreeNode, _ binding: String?) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .predicate(let tree):
      try tree.kind.forEachPart(
        predicate: { part throws(Failure) in try body(.predicate(part), nil) },
        expression: { part throws(Failure) in try body(.expression(part), nil) })
    case .expression(let tree):
      try tree.kind.forEachPart(
        predicate: { part, binding throws(Failure) in try body(.predicate(part), binding) },
        expression: { part, binding throws(Failure) in try body(.expression(part), binding) })
    }
  }
}

extension TreeNode: TallTree {
  package var height: Int {
    switch self {
    case .predicate(let tree): tree.height
    case .expression(let tree): tree.height
    }
  }
}

/// The continuation of a walk after a node.
public enum WalkStep: Sendable {
  /// Visits the children of the node.
  case into
  /// Skips the children of the node.
  case over
}

extension TreeNode {
  /// Calls the body with this node and all nodes below it, parents first, in the order of the text.
  ///
  /// The body also receives the variables that enclosing SUBQUERYs bind. Linear in the tree.
  public func walk<Failure: Error>(
    _ body: (TreeNode, _ bound: Set<String>) throws(Failure) -> WalkStep
  ) throws(Failure) {
    try walk(bound: [], body)
  }

  private func walk<Failure: Error>(
    bound: Set<String>, _ body: (TreeNode, Set<String>) throws(Failure) -> WalkStep
  ) throws(Failure) {
    guard try body(self, bound) == .into else { return }
    try descending { () throws(Failure) in
      try forEachChild { (node, binding) throws(Failure) in
        try node.walk(bound: bound.binding(binding), body)
      }
    }
  }

  /// This node and all nodes below it, parents first.
  package var allNodes: [TreeNode] {
    var nodes: [TreeNode] = []
    walk { node, _ in
      nodes.append(node)
      return .into
    }
    return nodes
  }

  fileprivate func first(where matches: (ExpressionTree) -> Bool) -> ExpressionTree? {
    var found: ExpressionTree?
    walk { node, _ in
      if found != nil { return .over }
      guard case .expression(let tree) = node, matches(tree) else { return .into }
      found = tree
      return .over
    }
    return found
  }
}

extension [TreeNode] {
  package var expressions: [ExpressionTree] {
    compactMap { if case .expression(let tree) = $0 { tree } else { nil } }
  }

  package var predicates: [PredicateTree] {
    compactMap { if case .predicate(let tree) = $0 { tree } else { nil } }
  }

  package var comparisons: [Comparison] {
    predicates.compactMap { if case .comparison(let found) = $0.kind { found } else { nil } }
  }
}

extension PredicateTree {
  /// This tree and all nodes below it, parents first.
  package var allNodes: [TreeNode] { TreeNode.predicate(self).allNodes }

  /// Calls the body with every node, parents first, in the order of the text.
  ///
  ///     var count = 0
  ///     predicate.walk { node, _ in
  ///       if case .predicate(let tree) = node, case .comparison = tree.kind { count += 1 }
  ///       return .into
  ///     }
  ///
  /// The body also receives the variables that enclosing SUBQUERYs bind. Linear in the tree.
  public func walk<Failure: Error>(
    _ body: (TreeNode, _ bound: Set<String>) throws(Failure) -> WalkStep
  ) throws(Failure) {
    try TreeNode.predicate(self).walk(body)
  }

  /// Returns the first expression that meets a condition, parents first.
  package func first(where matches: (ExpressionTree) -> Bool) -> ExpressionTree? {
    TreeNode.predicate(self).first(where: matches)
  }

  /// The distinct key paths in the tree, in the order of the text.
  ///
  ///     try PredicateTree(parsing: "age > 3 AND parent.name == $n").keyPaths.map(\.description)
  ///     // ["age", "parent.name"]
  ///
  /// Linear in the tree.
  public var keyPaths: [KeyPathTree] { TreeNode.predicate(self).keyPaths }

  /// The distinct variables that need a value, without `$`, in the order of the text.
  ///
  /// The variable of a SUBQUERY is not included. Linear in the tree.
  public var variables: [String] { TreeNode.predicate(self).variables }
}

extension ExpressionTree {
  /// Calls the body with every node, parents first, in the order of the text.
  ///
  /// The body also receives the variables that enclosing SUBQUERYs bind. Linear in the tree.
  public func walk<Failure: Error>(
    _ body: (TreeNode, _ bound: Set<String>) throws(Failure) -> WalkStep
  ) throws(Failure) {
    try TreeNode.expression(self).walk(body)
  }

  /// Returns the first expression that meets a condition, including this one, parents first.
  package func first(where matches: (ExpressionTree) -> Bool) -> ExpressionTree? {
    TreeNode.expression(self).first(where: matches)
  }

  /// The distinct key paths in the tree, in the order of the text. Linear in the tree.
  public var keyPaths: [KeyPathTree] { TreeNode.expression(self).keyPaths }

  /// The distinct variables that need a value, without `$`, in the order of the text. Linear in the
  /// tree.
  public var variables: [String] { TreeNode.expression(self).variables }
}

extension TreeNode {
  fileprivate var keyPaths: [KeyPathTree] {
    var found = DistinctList<KeyPathTree>()
    walk { node, _ in
      if case .expression(let tree) = node {
        switch tree.kind {
        case .keyPath(let path): found.append(path)
        case .objectOrQuotient(let key, _): found.append(KeyPathTree([KeyComponent(key)]))
        default: break
        }
      }
      return .into
    }
    return found.elements
  }

  var variables: [String] {
    var found = DistinctList<String>()
    walk { node, bound in
      guard case .expression(let tree) = node else { return .into }
      for name in tree.ownVariables where !bound.contains(name) { found.append(name) }
      return .into
    }
    return found.elements
  }
}

extension ExpressionTree {
  /// The variables of this node itself: `$x`, `$b` in `$a.$b`, and those that a nested fetch needs.
  fileprivate var ownVariables: [String] {
    switch kind {
    case .variable(let name): [name]
    case .keyPath(let path): path.components.filter { $0.kind == .variable }.map(\.name)
    case .fetch(let fetch): fetch.variables
    default: []
    }
  }
}

/// A list of distinct elements in the order of insertion.
package struct DistinctList<Element: Hashable> {
  package private(set) var elements: [Element] = []
  private var seen: Set<Element> = []

  package init() {}

  package mutating func append(_ element: Element) {
    if seen.insert(element).inserted { elements.append(element) }
  }
}

extension KeyPathTree: CustomStringConvertible {
  /// The path as a text: `children.age`, `items.@sum.price`. Linear in the path.
  public var description: String { ExpressionTree(.keyPath(self)).expressionFormat }
}
