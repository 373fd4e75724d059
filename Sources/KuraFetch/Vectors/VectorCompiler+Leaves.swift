import KuraGraph
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// The filter of a comparison of two expressions that can be worked out for whole chunks, or nil.
  mutating func vectorLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard max(comparison.left.height, comparison.right.height) <= Self.deepestVector else {
      return nil
    }
    if comparison.modifier != .direct {
      return ownerLeaf(comparison, predicate, scope)
        ?? jsonElementsLeaf(comparison, predicate, scope)
    }
    if let encoded = encodedLeaf(predicate, scope) { return encoded }
    var turned = comparison
    if comparison.left.literal != nil, let other = comparison.turned { turned = other }
    // Worked out once for all who look at it: what stands in it may have comparisons of its own.
    guard let left = vector(turned.left, scope),
      let kernel = vectorKernel(turned, predicate, left: left, scope)
    else { return nil }
    return productLeaf(predicate, insteadOf: kernel, scope)
      ?? choiceLeaf(turned, predicate, left, insteadOf: kernel, scope)
      ?? monotoneLeaf(turned, predicate, left, scope) ?? node(predicate, .kernel(kernel))
  }

  /// The kernel of a comparison whose left side is worked out.
  mutating func vectorKernel(
    _ comparison: Comparison, _ predicate: PredicateTree, left: any VectorNode,
    _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    if let literal = comparison.right.literal {
      if literal.isNull { return VectorNullKernel(left, comparison.operation) }
      if left.kind == .text, !(left is ConstantNode) {
        let question = LeafQuestion(
          comparison: comparison, literal: literal, predicate: predicate)
        let kernel = textKernel(question, 0, comparison.left.expressionFormat)
        if let kernel { return WorkedOutTextKernel(node: left, kernel: kernel) }
      }
    }
    return vectorKernel(comparison, left, scope)
  }

  private mutating func vectorKernel(
    _ comparison: Comparison, _ left: any VectorNode, _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    let options = TextOptions(rawValue: comparison.options.rawValue)
    switch (comparison.operation, comparison.right.kind) {
    case (.between, .aggregate(let bounds)): return between(left, bounds, scope)
    case (.between, .constant(let constant)):
      return between(left, constant.value.elements.map(ExpressionTree.constants) ?? [], scope)
    case (.in, .aggregate(let parts)):
      return set(left, parts.compactMap(\.literal), of: parts.count)
    case (.in, .constant(let constant)) where constant.value.elements != nil:
      return constant.value.elements.flatMap { set(left, $0, of: $0.count) }
    default:
      guard let right = operand(comparison.right, scope, beside: left.kind) else { return nil }
      if let texts = TextComparison(left, comparison.operation, right, options) {
        return TextComparisonKernel(comparison: texts)
      }
      return VectorComparison(left, comparison.operation, right)
        .map { VectorKernel(comparisons: [$0]) }
    }
  }

  /// The right side of a comparison; a literal compared with decimals keeps its digits.
  private mutating func operand(
    _ tree: ExpressionTree, _ scope: FilterScope, beside kind: VectorKind
  ) -> (any VectorNode)? {
    guard kind.hasDecimals, let constant = tree.double else { return vector(tree, scope) }
    let value = constant.besideDecimals
    // In rows with integers the literal is the double.
    if kind == .exact, value != constant.value { return nil }
    return ConstantNode(value)
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

// What compares the objects of a to-many with the one that has them
extension FilterCompiler {
  /// `ANY items.estimate > priority * 3`: each item is asked, with its owner's priority looked up.
  private mutating func ownerLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard case .keyPath(let path) = comparison.left.kind, path.base == nil,
      path.components.count > 1, path.components.allSatisfy({ $0.kind == .key }),
      let key = path.components.first?.name, let owner = owner(of: key, scope),
      let there = destination(key, scope),
      case .inverse(_, let column, _)? = graph.tables[scope.place.table].layout
        .slots[scope.place.code][key],
      let right = comparison.right.asked(ofOwner: owner)
    else { return nil }
    var inner = comparison
    inner.modifier = .direct
    inner.left = comparison.left.withoutHead
    inner.right = right
    let isAll = comparison.modifier == .all
    let filter = filter(PredicateTree(.comparison(inner)), there, isNegated: isAll)
    return collectionLeaf(predicate, key, .inverse(column: column), filter, scope, there)
      .map { isAll ? node(predicate, .not($0)) : $0 }
  }
}

extension ExpressionTree {
  /// The same asked of an object whose key leads to the one that was asked; nil where it asks more
  /// than keys.
  fileprivate func asked(ofOwner key: String) -> ExpressionTree? {
    if first(where: \.asksMoreThanPaths) != nil { return nil }
    return withHead(key)
  }

  /// The same with a key before all paths.
  func withHead(_ key: String) -> ExpressionTree {
    if case .keyPath(var path) = kind, path.base == nil {
      path.components.insert(KeyComponent(key), at: 0)
      return ExpressionTree(.keyPath(path), span: span)
    }
    return mapParts(predicate: { part, _ in part.withHead(key) }, expression: { $0.withHead(key) })
  }
}

extension PredicateTree {
  fileprivate func withHead(_ key: String) -> PredicateTree {
    mapParts(predicate: { $0.withHead(key) }, expression: { $0.withHead(key) })
  }
}

/// `lowercase(kind) == nil`: whether an expression is worth anything.
struct VectorNullKernel: ChunkKernel {
  let node: any VectorNode
  private let nullPasses: Bool
  private let valuePasses: Bool

  /// Nil for an operator that may fail.
  init?(_ node: any VectorNode, _ operation: ComparisonOperator) {
    guard let relation = VectorComparison.Relation(operation) else { return nil }
    self.node = node
    (nullPasses, valuePasses) = (relation.holdsForNulls, relation == .notEqual)
  }

  var method: String { "whole columns, nil" }
  func prepare() { node.prepare() }
  var cost: Double { node.cost }
  var isSure: Bool { node.isSure }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let vector = node.vector(rows)
    let passing = Bitmap(count: rows.count, filledWith: valuePasses)
    return KernelAnswer(
      passing: passing.settingNulls(vector.nulls, to: nullPasses), unsure: vector.unsure)
  }
}
