// These two switches define the parts of each kind of node. Everything that traverses or rebuilds a
// tree uses them, and handles only the kinds it needs.

extension PredicateTree.Kind {
  /// Calls the bodies with each part, in the order of the text.
  @inline(__always)
  func forEachPart<Failure: Error>(
    predicate: (PredicateTree) throws(Failure) -> Void,
    expression: (ExpressionTree) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .comparison(let comparison):
      try expression(comparison.left)
      try expression(comparison.right)
    case .not(let inside): try predicate(inside)
    case .and(let parts), .or(let parts): for part in parts { try predicate(part) }
    case .constant: break
    case .truth(let value): try expression(value)
    }
  }

  /// Returns the node with each part replaced by what a body returns, in the order of the text.
  func mapParts<Failure: Error>(
    predicate: (PredicateTree) throws(Failure) -> PredicateTree,
    expression: (ExpressionTree) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> Self {
    switch self {
    case .comparison(var comparison):
      comparison.left = try expression(comparison.left)
      comparison.right = try expression(comparison.right)
      return .comparison(comparison)
    case .not(let inside): return .not(try predicate(inside))
    case .and(let parts): return .and(try parts.map(predicate))
    case .or(let parts): return .or(try parts.map(predicate))
    case .constant: return self
    case .truth(let value): return .truth(try expression(value))
    }
  }
}

extension ExpressionTree.Kind {
  /// Calls the bodies with each part, in the order of the text. `binding` is the variable that is
  /// bound in a part: in `SUBQUERY(items, $i, $i.done == NO)`, `$i` is bound in the predicate but
  /// not in `items`.
  ///
  /// A fetch has no parts here, because its keys belong to another entity.
  @inline(__always)
  func forEachPart<Failure: Error>(
    predicate: (PredicateTree, _ binding: String?) throws(Failure) -> Void,
    expression: (ExpressionTree, _ binding: String?) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .constant, .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .fetch: break
    case .keyPath(let path): if let base = path.base { try expression(base, nil) }
    case .function(let call): for part in call.arguments { try expression(part, nil) }
    case .message(let target, _, let arguments):
      try expression(target, nil)
      for part in arguments { try expression(part, nil) }
    case .index(let list, let place):
      try expression(list, nil)
      if case .at(let index) = place { try expression(index, nil) }
    case .indexAfterDot(let base, let indexed):
      try expression(base, nil)
      try expression(indexed, nil)
    case .aggregate(let parts): for part in parts { try expression(part, nil) }
    case .subquery(let collection, let variable, let inside):
      try expression(collection, nil)
      try predicate(inside, variable)
    case .mapped(let collection, let variable, let inside):
      try expression(collection, nil)
      try expression(inside, variable)
    case .ternary(let condition, let yes, let no):
      try predicate(condition, nil)
      try expression(yes, nil)
      try expression(no, nil)
    case .setOperation(_, let left, let right):
      try expression(left, nil)
      try expression(right, nil)
    case .assignment(_, let value): try expression(value, nil)
    case .predicate(let inside): try predicate(inside, nil)
    }
  }

  /// Returns the node with each part replaced by what a body returns, in the order of the text.
  func mapParts<Failure: Error>(
    predicate: (PredicateTree, _ binding: String?) throws(Failure) -> PredicateTree,
    expression: (ExpressionTree, _ binding: String?) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> Self {
    switch self {
    case .constant, .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .fetch: return self
    case .keyPath(var path):
      if let base = path.base { path.base = try expression(base, nil) }
      return .keyPath(path)
    case .function(var call):
      call.arguments = try call.arguments.map { part throws(Failure) in try expression(part, nil) }
      return .function(call)
    case .message(let target, let selector, let arguments):
      return .message(
        target: try expression(target, nil), selector: selector,
        arguments: try arguments.map { part throws(Failure) in try expression(part, nil) })
    case .index(let list, .at(let place)):
      return .index(try expression(list, nil), .at(try expression(place, nil)))
    case .index(let list, let place): return .index(try expression(list, nil), place)
    case .indexAfterDot(let base, let indexed):
      return .indexAfterDot(try expression(base, nil), try expression(indexed, nil))
    case .aggregate(let parts):
      return .aggregate(try parts.map { part throws(Failure) in try expression(part, nil) })
    case .subquery(let collection, let variable, let inside):
      return .subquery(
        try expression(collection, nil), variable: variable, try predicate(inside, variable))
    case .mapped(let collection, let variable, let inside):
      return .mapped(
        try expression(collection, nil), variable: variable, try expression(inside, variable))
    case .ternary(let condition, let yes, let no):
      return .ternary(
        try predicate(condition, nil), try expression(yes, nil), try expression(no, nil))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, try expression(left, nil), try expression(right, nil))
    case .assignment(let name, let value): return .assignment(name, try expression(value, nil))
    case .predicate(let inside): return .predicate(try predicate(inside, nil))
    }
  }
}

extension PredicateTree {
  /// Returns the tree with its direct parts replaced; the span is unchanged.
  package func mapParts<Failure: Error>(
    predicate: (PredicateTree) throws(Failure) -> PredicateTree,
    expression: (ExpressionTree) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> PredicateTree {
    let kind = try descending { () throws(Failure) in
      try self.kind.mapParts(predicate: predicate, expression: expression)
    }
    return PredicateTree(kind, span: span)
  }
}

extension ExpressionTree {
  /// Returns the tree with its direct parts replaced by others of the same types; the span is unchanged.
  package func mapParts<Failure: Error>(
    predicate: (PredicateTree, _ binding: String?) throws(Failure) -> PredicateTree,
    expression: (ExpressionTree, _ binding: String?) throws(Failure) -> ExpressionTree
  ) throws(Failure) -> ExpressionTree {
    let kind = try descending { () throws(Failure) in
      try self.kind.mapParts(predicate: predicate, expression: expression)
    }
    var tree = ExpressionTree(kind, span: span)
    tree.staticType = staticType
    return tree
  }
}

extension FetchTree {
  /// Returns the fetch with the trees of all clauses replaced, except for its source and counts.
  package func mapClauses(
    predicate: (PredicateTree) -> PredicateTree, expression: (ExpressionTree) -> ExpressionTree
  ) -> FetchTree {
    var fetch = self
    fetch.predicate = self.predicate.map(predicate)
    fetch.having = having.map(predicate)
    for i in sort.indices { fetch.sort[i].expression = expression(sort[i].expression) }
    fetch.grouping = grouping.map(expression)
    fetch.limitKeys = limitKeys.map(expression)
    fetch.section = section.map(expression)
    fetch.selection = selection?.map { column in
      var column = column
      column.expression = expression(column.expression)
      return column
    }
    return fetch
  }
}

extension PredicateTree {
  /// The keys that it reads from the evaluated object; nil if it needs the object itself.
  ///
  /// `["age", "parent"]` for `age > 3 AND parent.name == $n`
  var keysOfSelf: [String]? { TreeNode.predicate(self).keysOfSelf }
}

extension ExpressionTree {
  /// The keys that it reads from the evaluated object; nil if it needs the object itself.
  var keysOfSelf: [String]? { TreeNode.expression(self).keysOfSelf }
}

extension TreeNode {
  fileprivate var keysOfSelf: [String]? {
    var keys: [String] = []
    var asksForAll = false
    walk { node, _ in
      guard case .expression(let tree) = node, !asksForAll else { return .into }
      switch tree.kind {
      case .keyPath(let path) where path.startsAtSelf:
        guard let key = path.components.first, key.kind == .key, key.name != "self" else {
          asksForAll = true
          return .over
        }
        if !keys.contains(key.name) { keys.append(key.name) }
        return .over
      case .objectOrQuotient(let key, _): keys.append(key)
      case .evaluatedObject, .anyKey, .fetch: asksForAll = true
      default: break
      }
      return .into
    }
    return asksForAll ? nil : keys
  }
}

extension KeyPathTree {
  fileprivate var startsAtSelf: Bool {
    guard let base else { return true }
    return base.kind == .evaluatedObject
  }
}
