import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues

// What only data shows of a comparison with JSON: that its values are numbers, and what is asked for is
// a text, or the other way round.
extension Comparison {
  /// The warning of `ANY lines.qty > "3"` where all are numbers, and of `zip == 1000001` where all are texts.
  func problemOfKind(_ shape: JSONShape) -> Diagnostic? {
    guard asksForAKind, case .constant(let constant) = right.kind else { return nil }
    let path = left.expressionFormat
    switch constant.value {
    case .string(let text) where shape.isNumbers:
      return warning(
        .numbersInJSON(path, found: right.expressionFormat),
        NumberText.number(text) == nil ? nil : text)
    case .integer, .double, .decimal:
      guard shape.isTexts else { return nil }
      let digits = constant.digits ?? right.expressionFormat
      return warning(.textsInJSON(path, found: digits), "\"\(digits)\"")
    default: return nil
    }
  }

  private var asksForAKind: Bool {
    switch operation {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .notEqual, .in, .between, .contains, .beginsWith, .endsWith, .like, .matches, .selector,
      .unsupported:
      false
    }
  }

  private func warning(_ facts: FetchWarnings, _ meant: String?) -> Diagnostic {
    Diagnostic(
      facts, at: left.span.joined(right.span), fixIt: meant.map { FixIt(right.span, $0) },
      severity: .warning)
  }
}
