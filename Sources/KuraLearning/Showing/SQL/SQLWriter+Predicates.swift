import KuraDiagnostics
import KuraPredicates
import KuraSentences
import KuraValues

extension SQLWriter: PredicateWriter {
  func negation(of inside: PredicateTree) -> String { "NOT (\(clause(inside)))" }
  func conjunction(of parts: [String]) -> String {
    parts.isEmpty ? "1" : parts.joined(separator: " AND ")
  }
  func choice(of parts: [String]) -> String {
    parts.isEmpty ? "0" : parts.joined(separator: " OR ")
  }
  func constant(_ answer: Bool) -> String { answer ? "1" : "0" }
  func truth(of value: ExpressionTree) -> String { "coalesce(\(expression(value)) <> 0, 0)" }

  func clause(_ comparison: Comparison, in whole: PredicateTree) -> String {
    guard comparison.options.isEmpty else {
      return missing.missing(
        "[\(comparison.options.letters)]", at: comparison.operationSpan,
        localized("SQLite comparisons ignore the case of ASCII letters only"))
    }
    if comparison.modifier == .direct {
      return condition(comparison, expression(comparison.left))
    }
    let isAll = comparison.modifier == .all
    let found = existence(of: comparison.left) { element in
      let text = self.condition(comparison, element)
      return isAll ? "NOT (\(text))" : text
    }
    guard let found else {
      return missing.missing(
        localized("collection in \(typed.texts.text(of: comparison.left))"),
        at: comparison.left.span)
    }
    return isAll ? "NOT \(found)" : found
  }

  /// Returns a comparison whose left side is already written.
  private func condition(_ comparison: Comparison, _ left: String) -> String {
    let (operation, right) = (comparison.operation, comparison.right)
    switch operation {
    case .between:
      guard let bounds = right.elementsOfList, bounds.count == 2 else {
        return missing.missing(localized("BETWEEN without two bounds"), at: right.span)
      }
      return "coalesce(\(left) BETWEEN \(expression(bounds[0])) AND \(expression(bounds[1])), 0)"
    case .in:
      guard let values = right.elementsOfList else {
        return missing.missing(localized("IN without a list of values"), at: right.span)
      }
      return "coalesce(\(left) IN (\(values.map(expression).joined(separator: ", "))), 0)"
    case .like: return like(comparison, left)
    case .contains, .beginsWith, .endsWith:
      if case .constant(let constant) = right.kind, constant.value == .string("") { return "0" }
      return written(comparison, left, isLiteral: right.isFixed)
    default: return written(comparison, left, isLiteral: right.isFixed && !right.isLiteralNull)
    }
  }

  private func written(_ comparison: Comparison, _ left: String, isLiteral: Bool) -> String {
    let templates = comparison.operation.sql
    let template = (isLiteral ? templates?.ofLiterals : nil) ?? templates?.ofAll
    return template?(left, expression(comparison.right))
      ?? missing.missing(comparison.operation.text, at: comparison.operationSpan)
  }

  /// Returns GLOB for LIKE: `*` has the same meaning; patterns with other special characters are
  /// not supported.
  private func like(_ comparison: Comparison, _ left: String) -> String {
    guard case .constant(let constant) = comparison.right.kind,
      case .string(let pattern) = constant.value, !pattern.contains(where: { "?\\".contains($0) })
    else {
      return missing.missing(localized("LIKE with this pattern"), at: comparison.operationSpan)
    }
    return "coalesce(\(left) GLOB \(pattern.replacing("[", with: "[[]").sqlText), 0)"
  }
}

extension ComparisonOperator {
  /// The comparison in SQLite. `ofAll` is for any operands. `ofLiterals` is shorter, and for a literal on the right side
  /// that is neither nil nor an empty text. Nil for operators that `condition` writes itself.
  ///
  /// In Kura, nil is less than or equal to nil.
  fileprivate var sql: (ofAll: Template, ofLiterals: Template?)? {
    switch self {
    case .equal: ("%1 IS %2", nil)
    case .notEqual: ("%1 IS NOT %2", nil)
    case .less: ("coalesce(%1 < %2, 0)", nil)
    case .greater: ("coalesce(%1 > %2, 0)", nil)
    case .lessOrEqual:
      ("coalesce(%1 <= %2, %1 IS NULL AND %2 IS NULL)", "coalesce(%1 <= %2, 0)")
    case .greaterOrEqual:
      ("coalesce(%1 >= %2, %1 IS NULL AND %2 IS NULL)", "coalesce(%1 >= %2, 0)")
    case .contains:
      ("coalesce(%2 <> '' AND instr(%1, %2) > 0, 0)", "coalesce(instr(%1, %2) > 0, 0)")
    case .beginsWith:
      (
        "coalesce(%2 <> '' AND substr(%1, 1, length(%2)) = %2, 0)",
        "coalesce(substr(%1, 1, length(%2)) = %2, 0)"
      )
    case .endsWith:
      (
        "coalesce(%2 <> '' AND substr(%1, -length(%2)) = %2, 0)",
        "coalesce(substr(%1, -length(%2)) = %2, 0)"
      )
    case .like, .in, .between, .matches, .selector, .unsupported: nil
    }
  }
}
