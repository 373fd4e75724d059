extension PredicateTree {
  /// The keys that it reads of the evaluated object; nil where it asks for the object itself.
  ///
  /// `["age", "parent"]` for `age > 3 AND parent.name == $n`
  var keysOfSelf: [String]? { TreeNode.predicate(self).keysOfSelf }
}

extension ExpressionTree {
  /// The keys that it reads of the evaluated object; nil where it asks for the object itself.
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
