extension PredicateTree.Kind: LeafKind {
  static var leaf: Self { .constant(true) }

  var height: Int {
    switch self {
    case .comparison(let comparison): 1 + max(comparison.left.height, comparison.right.height)
    case .not(let inner): 1 + inner.height
    case .and(let parts), .or(let parts): 1 + parts.greatestHeight
    case .constant: 1
    case .truth(let value): 1 + value.height
    }
  }
}

extension ExpressionTree.Kind: LeafKind {
  static var leaf: Self { .anyKey }

  var height: Int {
    switch self {
    case .constant, .evaluatedObject, .variable, .anyKey, .objectOrQuotient: 1
    case .keyPath(let path): 1 + (path.base?.height ?? 0)
    case .function(let call): 1 + call.arguments.greatestHeight
    case .message(let target, _, let arguments):
      1 + max(target.height, arguments.greatestHeight)
    case .index(let list, .at(let place)): 1 + max(list.height, place.height)
    case .index(let list, .first), .index(let list, .last), .index(let list, .size):
      1 + list.height
    case .indexAfterDot(let base, let indexed): 1 + max(base.height, indexed.height)
    case .aggregate(let parts): 1 + parts.greatestHeight
    case .subquery(let collection, _, let predicate):
      1 + max(collection.height, predicate.height)
    case .ternary(let condition, let yes, let no):
      1 + max(condition.height, yes.height, no.height)
    case .setOperation(_, let left, let right): 1 + max(left.height, right.height)
    case .assignment(_, let value): 1 + value.height
    case .predicate(let predicate): 1 + predicate.height
    case .fetch(let fetch): 1 + fetch.height
    }
  }
}

extension FetchTree {
  /// The height of its tallest clause.
  var height: Int {
    let predicates = [predicate, having].compactMap(\.self)
    let values = [offset, limit, batch, section].compactMap(\.self)
    let columns = (selection ?? []).map(\.expression)
    return max(
      predicates.greatestHeight, values.greatestHeight, columns.greatestHeight,
      sort.map(\.expression).greatestHeight, grouping.greatestHeight, source.kind.height)
  }
}

extension FetchSource.Kind {
  fileprivate var height: Int { if case .objects(let tree) = self { tree.height } else { 0 } }
}

extension [PredicateTree] {
  fileprivate var greatestHeight: Int { reduce(0) { Swift.max($0, $1.height) } }
}

extension [ExpressionTree] {
  fileprivate var greatestHeight: Int { reduce(0) { Swift.max($0, $1.height) } }
}
