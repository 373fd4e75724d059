package import KuraModel
package import KuraPredicates

/// A valid comparison of an attribute, for which the stored values can give a reason to warn: `timeStamp ==
/// "2010-07-20"` if they have a time of day, `title > "2010-07-20"` if they are dates as texts.
package struct AttributeComparison: Sendable {
  package let entity: String
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
      let (entity, attribute) = attribute(at: side.tree)
    else { return }
    state.comparisons.append(
      AttributeComparison(
        entity: entity, attribute: attribute, path: side.tree, other: other,
        comparison: comparison))
  }

  /// Returns the attribute at the end of a path from the root or a variable; nil for other expressions.
  private func attribute(at tree: ExpressionTree) -> (entity: String, Attribute)? {
    guard case .keyPath(let path) = tree.kind else { return nil }
    let start: String? =
      switch path.base?.kind {
      case nil, .evaluatedObject: entity
      case .variable(let name): scope[name]?.entity
      default: nil
      }
    guard let start, case let properties = model.properties(along: path.components, of: start),
      properties.count == path.components.count, let attribute = properties.last?.attribute
    else { return nil }
    return (properties.dropLast().last?.relationship?.destination ?? start, attribute)
  }
}

extension CheckedExpression {
  fileprivate var isStoredDateOrText: Bool {
    type == .attribute(.date) || type == .attribute(.string)
  }
}
