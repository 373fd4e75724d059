import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// A collection where one value is wanted, and a to-many beside a list.
extension Binder {
  /// The sides of a comparison: a fetch or variable of one element beside a single value is that
  /// element, and what an unordered to-many is compared with is a set.
  func sides(
    of comparison: Comparison
  ) throws(Diagnostic) -> (left: BoundExpression, right: BoundExpression) {
    var left = try bound(comparison.left)
    var right = try bound(comparison.right)
    if comparison.operation.wantsOneAtRight, left.type.isSingle(under: comparison.modifier) {
      right = try one(right, comparison.right)
    }
    if comparison.operation.wantsOneAtLeft, comparison.modifier == .direct,
      right.type.isSingle(under: .direct)
    {
      left = try one(left, comparison.left)
    }
    guard comparison.modifier == .direct else { return (left, right) }
    if right.isList, isUnorderedRelationship(left.tree) { right.makeSet() }
    if left.isList, isUnorderedRelationship(right.tree) { left.makeSet() }
    return (left, right)
  }

  /// The only element of what a fetch or a variable gives; everything else is as it is.
  func one(
    _ bound: BoundExpression, _ written: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    guard let bound = try found(bound, written) else { return bound }
    guard case .constant(let constant) = bound.tree.kind, case .list(let elements) = constant.value
    else { return bound }
    guard elements.count == 1 else {
      let text = environment.source?.text(written.span) ?? written.expressionFormat
      throw Diagnostic(BindFacts.notOne(text, count: elements.count), at: written.span)
    }
    return BoundExpression(
      tree: bound.tree.with(.constant(Constant(elements[0]))), type: bound.type.element)
  }

  /// What a fetch or a variable gives, or a path that begins at one; nil for everything else.
  private func found(
    _ bound: BoundExpression, _ written: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression? {
    switch written.kind {
    case .fetch, .variable: return bound
    case .keyPath(let path):
      guard case .keyPath(let boundPath) = bound.tree.kind, case .constant? = boundPath.base?.kind
      else { return nil }
      switch path.base?.kind {
      case .fetch, .variable: break
      default: return nil
      }
      let value = try bound.tree.evaluate(on: .null, in: environment.evaluation)
      let tree = bound.tree.with(.constant(Constant(value)))
      return BoundExpression(tree: tree, type: bound.type)
    default: return nil
    }
  }

  private func isUnorderedRelationship(_ tree: ExpressionTree) -> Bool {
    guard case .keyPath(let path) = tree.kind, path.base == nil, var place = entity else {
      return false
    }
    for (i, component) in path.components.enumerated() {
      guard case .relationship(let relationship)? = model.property(named: component.name, of: place)
      else { return false }
      if relationship.isToMany {
        return i == path.components.count - 1 && !relationship.isOrdered
      }
      place = relationship.destination
    }
    return false
  }
}

extension BoundExpression {
  fileprivate var isList: Bool {
    guard case .constant(let constant) = tree.kind, case .list = constant.value else {
      return false
    }
    return true
  }

  fileprivate mutating func makeSet() {
    guard case .constant(let constant) = tree.kind, case .list(let elements) = constant.value
    else { return }
    tree.kind = .constant(Constant(.set(ValueSet(elements))))
  }
}

extension BoundType {
  /// Of a collection what it holds.
  var element: BoundType { if case .collection(let element) = self { element } else { self } }

  /// Whether it is known to be one value, or under ANY and ALL a collection of such.
  fileprivate func isSingle(under modifier: ComparisonModifier) -> Bool {
    switch modifier == .direct ? self : element {
    case .attribute(let type): type != .json
    case .object, .objectID, .entity, .number, .string, .date, .boolean: true
    case .collection, .literal, .any: false
    }
  }
}

extension ComparisonOperator {
  fileprivate var wantsOneAtRight: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like,
      .beginsWith, .endsWith, .contains:
      true
    case .in, .between, .selector, .unsupported: false
    }
  }

  fileprivate var wantsOneAtLeft: Bool {
    switch self {
    case .contains, .in, .selector, .unsupported: false
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .matches, .like,
      .beginsWith, .endsWith, .between:
      true
    }
  }
}
