import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

// Paths in nested JSON
extension FilterCompiler {
  /// Returns the column and the path of `payload.user.age` or `tags[0]`; nil for other trees.
  func jsonPath(
    _ tree: ExpressionTree, _ scope: FilterScope
  ) -> (column: Column, path: JSONKeys)? {
    let table = graph.tables[scope.place.table]
    guard let (key, steps) = tree.jsonSteps, steps.count <= JSONKeys.most,
      case .attribute(let column, .json)? = table.layout.slots[scope.place.code][key]
    else { return nil }
    return (table.columns[column], JSONKeys(steps))
  }

  /// Compiles `payload.user == nil`; lists and objects are known to be values.
  mutating func jsonNullLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard comparison.right.literal?.isNull == true,
      let (column, path) = jsonPath(comparison.left, scope),
      let kernel = JSONNullKernel(column, path, comparison.operation)
    else { return nil }
    return node(predicate, .kernel(kernel))
  }

  /// Compiles `ANY payload.tags == "mail"`
  mutating func jsonElementsLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    let table = graph.tables[scope.place.table]
    // Elements have other places than the row's own values.
    guard comparison.right.literal != nil, case .keyPath(let path) = comparison.left.kind,
      path.base == nil, let (first, steps) = comparison.left.jsonSteps,
      case .attribute(let number, .json)? = table.layout.slots[scope.place.code][first],
      case let keys = JSONKeys(steps, isOfElements: true), steps.count <= JSONKeys.most,
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
  /// Longer paths are rare.
  fileprivate static let most = 16
}

extension ExpressionTree {
  /// The first key of `payload.users[0].name`, and the steps after it; nil if a component is neither a key nor a constant
  /// index.
  fileprivate var jsonSteps: (key: String, steps: [JSONKeys.Step])? {
    switch kind {
    case .keyPath(let path):
      guard path.components.allSatisfy({ $0.kind == .key }) else { return nil }
      let keys = path.components.map(\.name)
      let before = path.base.map(\.jsonSteps) ?? keys.first.map { ($0, []) }
      let rest = keys.dropFirst(path.base == nil ? 1 : 0)
      // For lists these are the size, and any value has itself.
      guard let (key, steps) = before, !rest.contains(where: ["self", "count", "length"].contains)
      else { return nil }
      return (key, steps + rest.map { .key($0) })
    case .index(let list, let index):
      guard let (key, steps) = list.jsonSteps else { return nil }
      switch index {
      case .first: return (key, steps + [.element(0)])
      case .last: return (key, steps + [.lastElement])
      case .at(let index):
        guard case .integer(let number)? = index.literal, 0..<Int64(Int32.max) ~= number else {
          return nil
        }
        return (key, steps + [.element(Int(number))])
      case .size: return nil
      }
    default: return nil
    }
  }
}
