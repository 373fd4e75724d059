import KuraGraph
import KuraModel
import KuraPredicates

// Keys of nested JSON
extension FilterCompiler {
  /// `payload.user.age`, behind its first key; nil where a key asks something of a value.
  func json(
    _ rest: ArraySlice<KeyComponent>, _ column: Int, _ table: Table
  ) -> (any VectorNode)? {
    JSONKeys(rest).flatMap { JSONPathNode(table.columns[column], $0) }
  }

  /// `ANY payload.tags == "mail"`
  mutating func jsonElementsLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    let table = graph.tables[scope.place.table]
    guard case .keyPath(let path) = comparison.left.kind, path.base == nil,
      let first = path.components.first, first.kind == .key,
      case .attribute(let number, .json)? = table.layout.slots[scope.place.code][first.name],
      let keys = JSONKeys(path.components.dropFirst(), isOfElements: true),
      let elements = JSONPathNode(table.columns[number], keys)
    else { return nil }
    var inner = comparison
    inner.modifier = .direct
    guard let kernel = vectorKernel(inner, predicate, left: elements, scope) else { return nil }
    return node(
      predicate,
      .kernel(
        JSONElementsKernel(
          kernel, table.columns[number], keys, isAll: comparison.modifier == .all)))
  }
}

extension JSONKeys {
  /// Nil where one of them is no key.
  fileprivate init?(_ path: ArraySlice<KeyComponent>, isOfElements: Bool = false) {
    // Of a list these are its size, and any value is itself.
    guard path.count <= 16,
      path.allSatisfy({ $0.kind == .key && !["self", "count", "length"].contains($0.name) })
    else { return nil }
    self.init(path.map(\.name), isOfElements: isOfElements)
  }
}
