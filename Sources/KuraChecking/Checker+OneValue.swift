import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// A collection where one value is wanted, and a to-many beside a list.
extension Checker {
  /// Makes of a fetch or variable of one element beside a single value that element, and of what
  /// an unordered to-many is compared with a set.
  func oneValues(
    _ left: inout CheckedExpression, _ right: inout CheckedExpression, _ comparison: Comparison
  ) throws(Diagnostic) {
    if comparison.operation.wantsOneAtRight, left.type.isSingle(under: comparison.modifier) {
      right = try one(right)
    }
    if comparison.operation.wantsOneAtLeft, comparison.modifier == .direct,
      right.type.isSingle(under: .direct)
    {
      left = try one(left)
    }
    guard comparison.modifier == .direct else { return }
    if right.isList, isUnorderedRelationship(left.tree) { right.makeSet() }
    if left.isList, isUnorderedRelationship(right.tree) { left.makeSet() }
  }

  /// The only element of what a fetch or a variable gives; everything else is as it is.
  func one(_ checked: CheckedExpression) throws(Diagnostic) -> CheckedExpression {
    guard let found = try found(checked) else { return checked }
    let written = found.written
    guard case .constant(let constant) = found.tree.kind, case .list(let elements) = constant.value
    else { return found }
    guard elements.count == 1 else {
      let text = context.source?.text(written.span) ?? written.expressionFormat
      throw Diagnostic(CheckFacts.notOne(text, count: elements.count), at: written.span)
    }
    return CheckedExpression(
      tree: found.tree.with(.constant(Constant(elements[0]))), type: found.type.element,
      written: written)
  }

  /// What a fetch or a variable gives, or a path that begins at one; nil for everything else.
  private func found(_ checked: CheckedExpression) throws(Diagnostic) -> CheckedExpression? {
    switch checked.written.kind {
    case .fetch, .variable: return checked
    case .keyPath(let path):
      guard case .keyPath(let found) = checked.tree.kind, case .constant? = found.base?.kind
      else { return nil }
      switch path.base?.kind {
      case .fetch, .variable: break
      default: return nil
      }
      let value = try checked.tree.evaluate(on: .null, in: context.evaluation)
      let tree = checked.tree.with(.constant(Constant(value)))
      return CheckedExpression(tree: tree, type: checked.type, written: checked.written)
    default: return nil
    }
  }

  func isUnorderedRelationship(_ tree: ExpressionTree) -> Bool {
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

extension CheckedExpression {
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

extension CheckedType {
  /// Whether it is known to be one value, or under ANY and ALL a collection of such.
  fileprivate func isSingle(under modifier: ComparisonModifier) -> Bool {
    (modifier == .direct ? self : element).isOneValue
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
