extension ExpressionTree {
  /// The tree with some of its nodes replaced, from the top: what `replace` gives is not looked
  /// into again, and where it gives nil the parts of the node are asked.
  ///
  /// A nested fetch is left as it is: its keys are another entity's.
  package func replacing<Failure: Error>(
    _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> ExpressionTree {
    if let replacement = try replace(self) { return replacement }
    let kind = try descending { () throws(Failure) in try self.kind.replacing(replace) }
    return ExpressionTree(kind, span: span)
  }
}

extension PredicateTree {
  /// The predicate with some of its expressions replaced, as in an expression.
  package func replacing<Failure: Error>(
    _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> PredicateTree {
    let kind = try descending { () throws(Failure) in try self.kind.replacing(replace) }
    return PredicateTree(kind, span: span)
  }
}

extension PredicateTree.Kind {
  fileprivate func replacing<Failure: Error>(
    _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> PredicateTree.Kind {
    switch self {
    case .comparison(var comparison):
      comparison.left = try comparison.left.replacing(replace)
      comparison.right = try comparison.right.replacing(replace)
      return .comparison(comparison)
    case .not(let inner): return .not(try inner.replacing(replace))
    case .and(let parts): return .and(try Self.replacing(parts, replace))
    case .or(let parts): return .or(try Self.replacing(parts, replace))
    case .constant: return self
    case .truth(let value): return .truth(try value.replacing(replace))
    }
  }

  private static func replacing<Failure: Error>(
    _ parts: [PredicateTree], _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> [PredicateTree] {
    var result: [PredicateTree] = []
    result.reserveCapacity(parts.count)
    for part in parts { result.append(try part.replacing(replace)) }
    return result
  }
}

extension ExpressionTree.Kind {
  /// The kind with each of its parts replaced, as in a tree.
  package func replacing<Failure: Error>(
    _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> ExpressionTree.Kind {
    switch self {
    case .constant, .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .fetch: return self
    case .keyPath(var path):
      path.base = try path.base?.replacing(replace)
      return .keyPath(path)
    case .function(var call):
      call.arguments = try Self.replacing(call.arguments, replace)
      return .function(call)
    case .message(let target, let selector, let arguments):
      return .message(
        target: try target.replacing(replace), selector: selector,
        arguments: try Self.replacing(arguments, replace))
    case .index(let list, .at(let place)):
      return .index(try list.replacing(replace), .at(try place.replacing(replace)))
    case .index(let list, let place): return .index(try list.replacing(replace), place)
    case .indexAfterDot(let base, let indexed):
      return .indexAfterDot(try base.replacing(replace), indexed)
    case .aggregate(let parts): return .aggregate(try Self.replacing(parts, replace))
    case .subquery(let collection, let name, let predicate):
      return .subquery(
        try collection.replacing(replace), variable: name, try predicate.replacing(replace))
    case .ternary(let condition, let yes, let no):
      return .ternary(
        try condition.replacing(replace), try yes.replacing(replace), try no.replacing(replace))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, try left.replacing(replace), try right.replacing(replace))
    case .assignment(let name, let value): return .assignment(name, try value.replacing(replace))
    case .predicate(let predicate): return .predicate(try predicate.replacing(replace))
    }
  }

  private static func replacing<Failure: Error>(
    _ parts: [ExpressionTree], _ replace: (ExpressionTree) throws(Failure) -> ExpressionTree?
  ) throws(Failure) -> [ExpressionTree] {
    var result: [ExpressionTree] = []
    result.reserveCapacity(parts.count)
    for part in parts { result.append(try part.replacing(replace)) }
    return result
  }
}
