import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension FilterCompiler {
  /// Returns the filter of a comparison; nil if the reference evaluator must answer.
  mutating func filter(
    of written: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    var comparison = written
    if comparison.left.literal != nil, let turned = comparison.turned { comparison = turned }
    if comparison.modifier != .direct {
      return elementsLeaf(comparison, predicate, scope)
        ?? jsonElementsLeaf(comparison, predicate, scope)
    }
    return literalLeaf(comparison, predicate, scope)
      ?? membershipLeaf(comparison, predicate, scope)
      ?? monotoneLeaf(comparison, predicate, scope)
      ?? encodedLeaf(predicate, scope)
      ?? jsonNullLeaf(comparison, predicate, scope)
      ?? jsonMembershipLeaf(comparison, predicate, scope)
      ?? jsonLiteralLeaf(comparison, predicate, scope)
      ?? objectsLeaf(comparison, predicate, scope)
      ?? vectorLeaf(comparison, predicate, scope)
  }

  /// Returns the filter of a comparison of a key, or of SELF, with a literal.
  private mutating func literalLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard scope.list == nil, let literal = comparison.right.literal else { return nil }
    let question = LeafComparison(comparison: comparison, literal: literal, predicate: predicate)
    if case .evaluatedObject = comparison.left.kind { return selfLeaf(question, scope) }
    guard case .keyPath(let path) = comparison.left.kind, path.base == nil, path.hasKeysOnly,
      let key = path.components.first, path.components.count <= 2
    else { return nil }
    let isLast = path.components.count == 1
    switch graph.slot(key, of: scope.place) {
    case .attribute(let column, let type)?:
      return isLast ? attributeLeaf(question, column, type, scope) : nil
    case .toOne(let column, let table)?:
      // Links that may lead to deleted objects are read one by one.
      return isLast && !graph.mayDangle ? linkLeaf(question, column, table, key.name, scope) : nil
    case .toMany?, .inverse?, .unresolved?: return nil
    case nil: break
    }
    switch (key.name, isLast) {
    case ("objectID", true), ("self", true): return selfLeaf(question, scope)
    case (objectNumberKey, true): return numberLeaf(question, scope)
    case ("entity", false):
      return path.components[1].name == "name" ? entityLeaf(question, scope) : nil
    default: return nil
    }
  }

  /// Returns the filter of a comparison of two expressions that can be computed for whole chunks.
  private mutating func vectorLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    // Compiled once for all uses, because it may contain comparisons.
    guard max(comparison.left.height, comparison.right.height) <= Self.deepestVector,
      let left = vector(comparison.left, scope),
      let kernel = vectorKernel(comparison, predicate, left: left, scope)
    else { return nil }
    return productLeaf(predicate, insteadOf: kernel, scope)
      ?? choiceLeaf(comparison, predicate, left, insteadOf: kernel, scope)
      ?? node(predicate, .kernel(kernel))
  }
}

extension FilterCompiler {
  /// Returns the kernel of a comparison with a compiled left side.
  mutating func vectorKernel(
    _ comparison: Comparison, _ predicate: PredicateTree, left: any VectorNode,
    _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    if let literal = comparison.right.literal {
      if literal.isNull { return VectorNullKernel(left, comparison.operation) }
      if left.kind.hasTexts, !(left is ConstantNode) {
        let question = LeafComparison(
          comparison: comparison, literal: literal, predicate: predicate)
        let kernel = question.ofStoredTexts(left.kind).flatMap {
          textKernel($0, 0, environment.text(of: comparison.left))
        }
        if let kernel { return ComputedTextKernel(node: left, kernel: kernel) }
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
      let bounds = constant.value.elements ?? []
      return between(left, bounds.map { ExpressionTree(.constant(Constant($0))) }, scope)
    case (.in, .aggregate(let parts)):
      return parts.mapAll(\.literal).flatMap { VectorSetKernel(left, $0) }
    case (.in, .constant(let constant)) where constant.value.elements != nil:
      return constant.value.elements.flatMap { VectorSetKernel(left, $0) }
    default:
      guard let right = operand(comparison.right, scope, comparedWith: left.kind) else {
        return nil
      }
      return VectorKernel.of(left, comparison.operation, right, options)
    }
  }

  /// Compiles the right side of a comparison; a literal compared with decimals keeps its digits.
  private mutating func operand(
    _ tree: ExpressionTree, _ scope: FilterScope, comparedWith kind: VectorKind
  ) -> (any VectorNode)? {
    guard kind.hasDecimals, let constant = tree.double else { return vector(tree, scope) }
    let value = constant.besideDecimals
    // In rows with integers the literal is a double.
    if kind == .exact, value != constant.value { return nil }
    return ConstantNode(value)
  }

  private mutating func between(
    _ value: any VectorNode, _ bounds: [ExpressionTree], _ scope: FilterScope
  ) -> (any ChunkKernel)? {
    guard bounds.count == 2, let low = vector(bounds[0], scope),
      let high = vector(bounds[1], scope),
      // BETWEEN is false if a bound is nil.
      low is ConstantNode, high is ConstantNode,
      let above = VectorComparison(value, .greaterOrEqual, low),
      let below = VectorComparison(value, .lessOrEqual, high)
    else { return nil }
    return VectorKernel(comparisons: [above, below])
  }
}

// Comparisons of the elements of to-many relationships
extension FilterCompiler {
  /// The maximum number of keys in a path with kernels: each key is a nested join.
  static let longestPath = 64

  /// Compiles `ANY tags.name == "x"`, `ALL items.(price * count) > 3`, and `ANY items.estimate > priority * 3`, for
  /// which each item reads the priority of its owner.
  private mutating func elementsLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    // ALL is NOT ANY NOT.
    let isAll = comparison.modifier == .all
    guard scope.list == nil,
      let question = ElementQuestion(comparison, isNegated: isAll, span: predicate.span),
      question.keys.count <= Self.longestPath
    else { return nil }
    return anyElement(question, scope).map { isAll ? node(predicate, .not($0)) : $0 }
  }

  /// Compiles `tags.name CONTAINS "x"`, and so `"x" IN tags.name`, as `ANY tags.name == "x"`.
  private mutating func membershipLeaf(
    _ comparison: Comparison, _ predicate: PredicateTree, _ scope: FilterScope
  ) -> Filter? {
    guard comparison.operation == .contains, let literal = comparison.right.literal,
      !literal.isNull, literal.elements == nil, case .keyPath(let path) = comparison.left.kind,
      path.base == nil, scope.list == nil,
      // The elements of a path of several relationships are collections.
      keysOfObjects(path, scope) == 1
    else { return nil }
    var element = comparison
    (element.modifier, element.operation) = (.any, .equal)
    return elementsLeaf(element, predicate, scope)
  }

  /// Returns the filter of objects with an element that fulfills a comparison.
  private mutating func anyElement(
    _ question: ElementQuestion, _ scope: FilterScope
  ) -> Filter? {
    guard let key = question.keys.first, !question.isInside || !key.asksSize else { return nil }
    let slot = graph.slot(key, of: scope.place)
    // Links that may lead to deleted objects are read one by one.
    if let slot, graph.mayDangle, slot.attributeType == nil { return nil }
    if let link = slot.flatMap(ToManyLink.init) { return anyOf(link, key, question, scope) }
    if case .toOne(let column, _)? = slot, question.keys.count > 1 {
      guard let encoded = linkScope(key, column, scope), question.hasLiteral,
        let missing = answerWithoutObject(question),
        let filter = DeepStack.run({ anyElement(question.next, encoded.scope) })
      else { return nil }
      return linkLeaf(question.ofAny, encoded, filter, missing: missing)
    }
    guard question.isInside else { return nil }
    return filter(question.ofElement, scope, isNegated: question.isNegated)
  }

  private mutating func anyOf(
    _ link: ToManyLink, _ key: KeyComponent, _ question: ElementQuestion, _ scope: FilterScope
  ) -> Filter? {
    guard let there = graph.link(key, from: scope)?.destination,
      var next = question.hasLiteral
        ? question.next : owner(of: key, scope).flatMap(question.next(withOwner:))
    else { return nil }
    next.isInside = true
    let filter: Filter? =
      next.keys.isEmpty
      ? filter(next.ofElement, there, isNegated: next.isNegated)
      : DeepStack.run { anyElement(next, there) }
    guard let filter, filter.isOfKernels else { return nil }
    let kernel = CollectionKernel(
      key.name, link, filter, graph, here: scope.place.table, there: there.place.table,
      environment.cancel)
    return node(question.ofAny, .kernel(kernel))
  }

  /// Returns the answer for a to-one relationship without an object.
  private func answerWithoutObject(_ question: ElementQuestion) -> Bool? {
    // Outside a collection nil has no elements.
    guard question.isInside else { return false }
    return answer(question.comparison, .null).map { $0 != question.isNegated }
  }
}

/// A comparison of the elements at the end of a path, as seen from an object on the path.
private struct ElementQuestion {
  /// The comparison of an element.
  private(set) var comparison: Comparison
  /// Whether an element must not fulfill it.
  let isNegated: Bool
  let span: SourceSpan
  /// The remaining keys.
  private(set) var keys: [KeyComponent]
  /// The value of the element after the last key.
  private let element: ExpressionTree.Kind
  /// Whether a to-many relationship was crossed: then a missing object is a nil among the values.
  var isInside = false

  /// Returns nil for other expressions than paths of keys, and expressions of the elements of one relationship.
  init?(_ comparison: Comparison, isNegated: Bool, span: SourceSpan) {
    switch comparison.left.kind {
    case .keyPath(let path) where path.base == nil && path.hasKeysOnly:
      (keys, element) = (path.components, .evaluatedObject)
    case .mapped(let collection, let variable, let value):
      guard let key = collection.onlyKey, let value = ElementPredicate(variable).of(value) else {
        return nil
      }
      (keys, element) = ([key], value.kind)
    default: return nil
    }
    (self.comparison, self.isNegated, self.span) = (comparison, isNegated, span)
    self.comparison.modifier = .direct
  }

  var hasLiteral: Bool { comparison.right.literal != nil }

  /// The comparison of an element as a predicate of the object on the path.
  var ofElement: PredicateTree {
    // The written text with its ALL does not describe the comparison of one element.
    PredicateTree(.comparison(comparison), span: isNegated ? .none : span)
  }

  /// The predicate of an object on the path: some element fulfills the comparison.
  var ofAny: PredicateTree {
    var any = comparison
    any.modifier = isNegated ? .all : .any
    let predicate = PredicateTree(.comparison(any), span: span)
    return isNegated ? predicate.turned : predicate
  }

  /// The question after the first key.
  var next: ElementQuestion {
    var next = self
    next.keys.removeFirst()
    next.comparison.left.kind =
      next.keys.isEmpty ? element : .keyPath(KeyPathTree(next.keys))
    return next
  }

  /// Returns the question after the first key, with the right side read from the owner, to which a key leads back; nil
  /// unless that side reads only paths.
  func next(withOwner owner: KeyComponent) -> ElementQuestion? {
    guard comparison.right.first(where: \.readsMoreThanPaths) == nil else { return nil }
    var next = next
    next.comparison.right = comparison.right.withHead(owner)
    return next
  }
}

extension ExpressionTree {
  /// Returns the expression with a key before all paths.
  func withHead(_ key: KeyComponent) -> ExpressionTree {
    if case .keyPath(var path) = kind, path.base == nil {
      path.components.insert(key, at: 0)
      return ExpressionTree(.keyPath(path), span: span)
    }
    return mapParts(
      predicate: { part, _ in part.withHead(key) }, expression: { part, _ in part.withHead(key) })
  }
}

extension PredicateTree {
  fileprivate func withHead(_ key: KeyComponent) -> PredicateTree {
    mapParts(predicate: { $0.withHead(key) }, expression: { $0.withHead(key) })
  }
}
