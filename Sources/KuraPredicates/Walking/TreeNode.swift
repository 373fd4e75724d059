/// A node of either kind, as a walk meets it.
public enum TreeNode: Sendable, Hashable {
  /// A predicate, the whole one too.
  case predicate(PredicateTree)
  /// An expression.
  case expression(ExpressionTree)
}

extension TreeNode {
  /// The nodes right below, in the order of the text, each with the variable that is bound for it.
  ///
  /// `$i` is bound in the predicate of `SUBQUERY(items, $i, $i.done == NO)`, not in `items`.
  package var children: [(node: TreeNode, binding: String?)] {
    switch self {
    case .predicate(let tree): tree.childNodes.map { ($0, nil) }
    case .expression(let tree):
      if case .subquery(let collection, let variable, let predicate) = tree.kind {
        [(.expression(collection), nil), (.predicate(predicate), variable)]
      } else {
        tree.childNodes.map { ($0, nil) }
      }
    }
  }
}

extension TreeNode {
  /// Runs what goes down this node, where there is a stack for it.
  package func descending<Answer, Failure: Error>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    switch self {
    case .predicate(let tree): try tree.descending(body)
    case .expression(let tree): try tree.descending(body)
    }
  }
}

extension PredicateTree {
  fileprivate var childNodes: [TreeNode] {
    switch kind {
    case .comparison(let comparison):
      [.expression(comparison.left), .expression(comparison.right)]
    case .not(let inside): [.predicate(inside)]
    case .and(let parts), .or(let parts): parts.map(TreeNode.predicate)
    case .constant: []
    case .truth(let expression): [.expression(expression)]
    }
  }
}

extension ExpressionTree {
  fileprivate var childNodes: [TreeNode] {
    switch kind {
    // The keys of a fetch are those of another entity.
    case .constant, .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .fetch: []
    case .keyPath(let path): path.base.map { [.expression($0)] } ?? []
    case .function(let call): call.arguments.map(TreeNode.expression)
    case .message(let target, _, let arguments): ([target] + arguments).map(TreeNode.expression)
    case .index(let list, .at(let place)): [.expression(list), .expression(place)]
    case .index(let list, .first), .index(let list, .last), .index(let list, .size):
      [.expression(list)]
    case .indexAfterDot(let base, let indexed): [.expression(base), .expression(indexed)]
    case .aggregate(let elements): elements.map(TreeNode.expression)
    case .subquery(let collection, _, let predicate):
      [.expression(collection), .predicate(predicate)]
    case .ternary(let condition, let yes, let no):
      [.predicate(condition), .expression(yes), .expression(no)]
    case .setOperation(_, let left, let right): [.expression(left), .expression(right)]
    case .assignment(_, let value): [.expression(value)]
    case .predicate(let predicate): [.predicate(predicate)]
    }
  }
}
