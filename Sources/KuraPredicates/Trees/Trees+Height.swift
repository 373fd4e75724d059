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
    let values = [offset, limit, batch, section, source.tree].compactMap(\.self)
    let columns = (selection ?? []).map(\.expression)
    let expressions = values + columns + sort.map(\.expression) + grouping
    return max(
      predicates.reduce(0) { max($0, $1.height) }, expressions.reduce(0) { max($0, $1.height) })
  }
}

extension FetchSource {
  fileprivate var tree: ExpressionTree? {
    if case .objects(let tree) = kind { tree } else { Optional.none }
  }
}
