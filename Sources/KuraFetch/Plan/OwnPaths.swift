import KuraGraph
import KuraModel
import KuraPredicates

extension KeyPathTree {
  /// Whether all its components are keys. After an attribute, these are messages to its value.
  var hasKeysOnly: Bool { components.allSatisfy { $0.kind == .key } }

  /// The path without its first key.
  fileprivate var withoutHead: KeyPathTree { KeyPathTree(Array(components.dropFirst())) }
}

extension TreeNode {
  /// The paths that begin at the asked object, each once; nil where more than they decides.
  ///
  /// What a SUBQUERY asks of its own elements is not among them.
  var ownPaths: [KeyPathTree]? {
    var paths: [KeyPathTree] = []
    var asksMore = false
    walk { node, bound in
      guard !asksMore, case .expression(let tree) = node else { return asksMore ? .over : .into }
      switch tree.kind {
      case .variable(let name): asksMore = !bound.contains(name)
      case .subquery: break
      case .keyPath(let path) where path.base == nil:
        if !paths.contains(path) { paths.append(path) }
      default: asksMore = tree.asksMoreThanPaths
      }
      return .into
    }
    return asksMore ? nil : paths
  }
}

extension ExpressionTree {
  /// Whether an expression depends on more than its paths.
  var asksMoreThanPaths: Bool {
    switch kind {
    case .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .subquery, .fetch, .indexAfterDot,
      .assignment:
      true
    case .function(let call): call.depends(on: .chance)
    case .message(_, let selector, _): FunctionCall(selector, []).depends(on: .chance)
    case .constant, .keyPath, .index, .aggregate, .ternary, .setOperation, .predicate: false
    }
  }

  /// The same asked of the object at the end of the key that all its paths begin with.
  var withoutHead: ExpressionTree {
    if case .keyPath(let path) = kind, path.base == nil {
      return ExpressionTree(.keyPath(path.withoutHead), span: span)
    }
    return mapParts(predicate: { part, _ in part.withoutHead }, expression: \.withoutHead)
  }
}

extension PredicateTree {
  /// The same asked of the object at the end of the key that all its paths begin with.
  var withoutHead: PredicateTree {
    mapParts(predicate: \.withoutHead, expression: \.withoutHead)
  }
}
