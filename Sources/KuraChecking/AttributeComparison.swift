package import KuraModel
package import KuraPredicates

/// A valid comparison of an attribute, for which the stored values can give a reason to warn: `timeStamp ==
/// "2010-07-20"` if they have a time of day, `title > "2010-07-20"` if they are dates as texts.
package struct AttributeComparison: Sendable {
  package let entity: String
  package let key: KeyComponent
  package let attribute: Attribute
  /// The key path to the attribute, on the left or right side of the comparison.
  package let path: ExpressionTree
  /// The other side.
  package let other: ExpressionTree
  package let comparison: Comparison
}

extension Checker {
  /// Records a checked comparison of dates or texts with an attribute, for warnings that depend on data.
  func noteAttribute(
    in comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression
  ) {
    guard comparison.operation.comparesValues, comparison.operation != .contains,
      let (side, other) = left.isStoredDateOrText
        ? (left, comparison.right) : right.isStoredDateOrText ? (right, comparison.left) : nil,
      case .keyPath(let path) = side.tree.kind, path.base?.isObject ?? true,
      path.properties.count == path.components.count, let key = path.components.last,
      let resolved = key.resolved, let attribute = resolved.property.attribute
    else { return }
    state.comparisons.append(
      AttributeComparison(
        entity: resolved.entity, key: key, attribute: attribute, path: side.tree, other: other,
        comparison: comparison))
  }
}

extension ExpressionTree {
  /// Whether it is SELF or a variable.
  fileprivate var isObject: Bool {
    switch kind {
    case .evaluatedObject, .variable: true
    default: false
    }
  }
}

extension CheckedExpression {
  fileprivate var isStoredDateOrText: Bool {
    type == .attribute(.date) || type == .attribute(.string)
  }
}
