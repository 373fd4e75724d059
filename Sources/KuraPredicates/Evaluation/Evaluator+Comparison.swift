import KuraDiagnostics
import KuraValues

extension Evaluator {
  /// `a == b`, `ANY a.b == c`, `ALL a.b == c`
  func holds(_ comparison: Comparison, _ span: SourceSpan) throws(Diagnostic) -> Bool {
    let left = try value(of: comparison.left)
    let right = try value(of: comparison.right)
    return try holds(comparison, of: left, right, span)
  }

  /// The comparison of values that have been computed.
  func holds(
    _ comparison: Comparison, of left: Value, _ right: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Bool {
    switch comparison.modifier {
    case .direct: return try holds(comparison, left, right, span)
    case .any:
      for element in try elements(left, comparison)
      where try holds(comparison, element, right, span) { return true }
      return false
    case .all:
      for element in try elements(left, comparison)
      where try !holds(comparison, element, right, span) { return false }
      return true
    }
  }

  /// The left side of ANY and ALL; nil has no elements.
  func elements(
    _ value: Value, _ comparison: Comparison
  ) throws(Diagnostic) -> [Value] {
    if value.isNull { return [] }
    guard let elements = value.elements else {
      let word = comparison.modifier == .any ? "ANY" : "ALL"
      throw Diagnostic(
        EvaluationFacts.notACollection(word, value.kind), at: comparison.left.span)
    }
    return elements
  }

  private func holds(
    _ comparison: Comparison, _ left: Value, _ right: Value, _ span: SourceSpan
  ) throws(Diagnostic) -> Bool {
    try checkCancel(span)
    let a = exact(left, comparison.left, beside: right)
    let b = exact(right, comparison.right, beside: left)
    do {
      return try ValueComparison(comparison, context).holds(a, b)
    } catch {
      throw Diagnostic(error, at: span)
    }
  }

  /// A number literal beside a decimal counts by the digits it was typed with.
  func exact(_ value: Value, _ expression: ExpressionTree, beside other: Value) -> Value {
    switch (value, other) {
    case (.double(let double), .decimal):
      guard case .constant(let constant) = expression.kind else { return value }
      let decimal = NumberText.decimal(constant.digits ?? NumberText.text(double))
      return decimal.map(Value.decimal) ?? value
    default: return value
    }
  }
}
