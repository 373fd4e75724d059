import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// The filter of a comparison of two expressions that can be worked out for whole chunks, or nil.
  mutating func vectorLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard comparison.modifier == .direct, comparison.options.isEmpty,
      let left = vector(comparison.left, scope)
    else { return nil }
    let kernel: (any ChunkKernel)? =
      switch (comparison.operation, comparison.right.kind) {
      case (.between, .aggregate(let bounds)): between(left, bounds, scope)
      case (.between, .constant(let constant)):
        between(left, constant.value.elements.map(ExpressionTree.constants) ?? [], scope)
      case (.in, .aggregate(let parts)): set(left, parts.compactMap(\.literal), of: parts.count)
      case (.in, .constant(let constant)):
        constant.value.elements.flatMap { set(left, $0, of: $0.count) }
      default:
        vector(comparison.right, scope).flatMap {
          VectorComparison(left, comparison.operation, $0)
        }.map { VectorKernel(comparisons: [$0]) }
      }
    return kernel.map { node(predicate, .kernel($0)) }
  }

  private mutating func between(
    _ value: any VectorNode, _ bounds: [ExpressionTree], _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    guard bounds.count == 2, let low = vector(bounds[0], scope),
      let high = vector(bounds[1], scope),
      // Nothing lies between bounds of which one is nil, and where all are nil neither.
      low is ConstantNode, high is ConstantNode,
      let above = VectorComparison(value, .greaterOrEqual, low),
      let below = VectorComparison(value, .lessOrEqual, high)
    else { return nil }
    return VectorKernel(comparisons: [above, below])
  }

  private func set(
    _ value: any VectorNode, _ elements: [Value], of count: Int
  ) -> (any ChunkKernel)? {
    elements.count == count ? VectorSetKernel(value, elements) : nil
  }
}

extension ExpressionTree {
  fileprivate static func constants(_ values: [Value]) -> [ExpressionTree] {
    values.map { ExpressionTree(.constant(Constant($0))) }
  }
}

extension FilterCompiler {
  /// An expression as something that is worked out for whole chunks; nil where it is none.
  mutating func vector(_ tree: ExpressionTree, _ scope: FilterScope) -> (any VectorNode)? {
    // Deeper ones are rare, and cost a stack.
    guard tree.height <= 64 else { return nil }
    switch tree.kind {
    case .constant(let constant): return ConstantNode(constant.value)
    case .keyPath(let path): return path.onlyKey.flatMap { column($0, scope) }
    case .function(let call): return function(call, scope)
    case .ternary(let condition, let yes, let no):
      guard let yes = vector(yes, scope), let no = vector(no, scope) else { return nil }
      return TernaryNode(filter(condition, scope), yes, no)
    case .evaluatedObject, .variable, .anyKey, .objectOrQuotient, .message, .index,
      .indexAfterDot, .aggregate, .subquery, .setOperation, .assignment, .predicate, .fetch:
      return nil
    }
  }

  private func column(_ key: String, _ scope: FilterScope) -> (any VectorNode)? {
    let table = graph.tables[scope.place.table]
    guard case .attribute(let column, let type)? = table.layout.slots[scope.place.code][key] else {
      return nil
    }
    return ColumnNode(column, type)
  }

  private mutating func function(
    _ call: FunctionCall, _ scope: FilterScope
  ) -> (any VectorNode)? {
    if call.selector == "length:", call.arguments.count == 1 {
      return length(of: call.arguments[0], scope)
    }
    var parts: [any VectorNode] = []
    for argument in call.arguments {
      guard let part = vector(argument, scope) else { return nil }
      parts.append(part)
    }
    switch (call.selector, parts.count) {
    case ("coalesce", 1...): return CoalesceNode(parts)
    case ("daysBetween", 2): return DaysBetweenNode(parts[0], parts[1], environment.rules)
    case (_, 1):
      return DatePartNode(call.selector, parts[0], environment.rules)
        ?? NumberNode(call.selector, parts[0])
    case (_, 2):
      return ArithmeticNode.Operation(call.selector).flatMap {
        ArithmeticNode($0, parts[0], parts[1])
      }
    default: return nil
    }
  }

  private func length(of tree: ExpressionTree, _ scope: FilterScope) -> (any VectorNode)? {
    let table = graph.tables[scope.place.table]
    guard case .keyPath(let path) = tree.kind, let key = path.onlyKey,
      case .attribute(let column, .string)? = table.layout.slots[scope.place.code][key]
    else { return nil }
    return LengthNode(column, table)
  }
}
