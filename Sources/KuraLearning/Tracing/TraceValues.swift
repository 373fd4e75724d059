import KuraPredicates
import KuraSentences
import KuraValues

/// Formats the values of a leaf's keys: `"部屋の掃除"`, `Category/1 "家"`, `a is 3, b is nil`.
struct TraceValues {
  private let texts: PartTexts
  /// Whether elements have lines of their own, and are only counted here.
  private let listsElements: Bool

  init(_ texts: PartTexts, listsElements: Bool = true) {
    self.texts = texts
    self.listsElements = listsElements
  }
}

extension TraceValues {
  func text(of leaf: PredicateTrace) -> String {
    guard leaf.answer != .unasked, let sides = leaf.allSides else { return "" }
    guard let comparison = leaf.comparison else { return alone(leaf, sides.left) }
    if comparison.left.isFixed, comparison.right.isFixed { return "" }
    if comparison.right.isFixed { return said(comparison.left, sides.left, leaf) }
    if comparison.left.isFixed { return said(comparison.right, sides.right, leaf) }
    return [(comparison.left, sides.left), (comparison.right, sides.right)].map {
      localized("\(texts.text(of: $0)) is \(texts.text(of: $1))")
    }.joined(separator: ", ")
  }

  private func alone(_ leaf: PredicateTrace, _ value: Value) -> String {
    guard case .truth(let expression) = leaf.predicate.kind else { return "" }
    return localized("\(texts.text(of: expression)) is \(texts.text(of: value))")
  }

  /// Returns the value of the operand that is not constant; if elements are listed below, only
  /// their number.
  private func said(_ side: ExpressionTree, _ value: Value, _ leaf: PredicateTrace) -> String {
    if listsElements, let elements = value.elements, !leaf.allElements.isEmpty {
      return counted(elements.count, "element", "elements")
    }
    if value.elements?.isEmpty ?? false { return localized("no elements") }
    guard case .keyPath(let path) = side.kind, path.base.map(\.isVariable) ?? true else {
      return texts.text(of: value)
    }
    return localized("\(texts.text(of: side)) is \(texts.text(of: value))")
  }
}

extension ExpressionTree {
  fileprivate var isVariable: Bool { if case .variable = kind { true } else { false } }
}
