import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Writes a fetch in SQLite's language: a table for each root entity, with `objectID`, a column for each
/// attribute and for each to-one.
///
/// Predicates have two truth values and SQL three: each comparison is made to say 0 where it says NULL.
struct SQLWriter {
  let typed: TypedFetch
  let missing = CounterpartList("SQLite")
  private var aliases = 0
  /// The variables of SUBQUERYs, with the tables of their elements.
  var variables: [String: SQLScope] = [:]
  /// The scope of the objects that are asked.
  let root: SQLScope

  init(_ typed: TypedFetch) {
    self.typed = typed
    root = SQLScope("t0", typed.entity)
  }

  var model: Model { typed.model }

  /// `t3`
  mutating func newAlias() -> String {
    aliases += 1
    return "t\(aliases)"
  }
}

extension TypedFetch {
  /// The fetch as SQLite would be asked.
  ///
  /// Throws where something has no counterpart there.
  package func sql() throws(Untranslatable) -> String {
    var writer = SQLWriter(self)
    let text = writer.statement()
    try writer.missing.check()
    return text
  }
}

// Predicates
extension SQLWriter {
  /// A predicate as an expression that is 0 or 1.
  mutating func condition(_ predicate: PredicateTree, _ scope: SQLScope) -> String {
    switch predicate.kind {
    case .comparison(let comparison): return condition(comparison, predicate.span, scope)
    case .not(let inner): return "NOT (\(condition(inner, scope)))"
    case .and(let parts): return joined(parts, " AND ", empty: "1", scope)
    case .or(let parts): return joined(parts, " OR ", empty: "0", scope)
    case .constant(let answer): return answer ? "1" : "0"
    case .truth(let value): return "coalesce(\(expression(value, scope)) <> 0, 0)"
    }
  }

  private mutating func joined(
    _ parts: [PredicateTree], _ word: String, empty: String, _ scope: SQLScope
  ) -> String {
    var texts: [String] = []
    for part in parts {
      let text = condition(part, scope)
      let isCompound =
        if case .or = part.kind { true } else if case .and = part.kind { true } else { false }
      texts.append(isCompound ? "(\(text))" : text)
    }
    return texts.isEmpty ? empty : texts.joined(separator: word)
  }

  private mutating func condition(
    _ comparison: Comparison, _ span: SourceSpan, _ scope: SQLScope
  ) -> String {
    guard comparison.options.isEmpty else {
      return missing.missing(
        "[\(comparison.options.letters)]", at: comparison.operationSpan,
        localized("its own comparisons know the case of ASCII letters alone"))
    }
    if comparison.modifier == .direct {
      let left = side(comparison.left, beside: comparison.right, scope)
      return condition(comparison, left, scope)
    }
    let isAll = comparison.modifier == .all
    let found = elements(of: comparison.left, scope) { writer, element in
      let text = writer.condition(comparison, element, scope)
      return isAll ? "NOT (\(text))" : text
    }
    guard let found else {
      return missing.missing(
        localized("collection in \(typed.texts.text(of: comparison.left))"),
        at: comparison.left.span)
    }
    return isAll ? "NOT \(found)" : found
  }

  /// A comparison whose left side is written already.
  private mutating func condition(
    _ comparison: Comparison, _ left: String, _ scope: SQLScope
  ) -> String {
    switch comparison.operation {
    case .equal: return "\(left) IS \(side(comparison.right, beside: comparison.left, scope))"
    case .notEqual:
      return "\(left) IS NOT \(side(comparison.right, beside: comparison.left, scope))"
    case .less, .greater:
      return "coalesce(\(left) \(comparison.operation.text) \(right(comparison, scope)), 0)"
    case .lessOrEqual, .greaterOrEqual:
      let other = right(comparison, scope)
      // Two nils are at most each other.
      let both =
        comparison.right.isFixed && !comparison.right.isLiteralNull
        ? "0" : "\(left) IS NULL AND \(other) IS NULL"
      return "coalesce(\(left) \(comparison.operation.text) \(other), \(both))"
    case .between: return between(comparison, left, scope)
    case .in: return isIn(comparison, left, scope)
    case .contains, .beginsWith, .endsWith: return search(comparison, left, scope)
    case .like: return like(comparison, left)
    case .matches, .selector, .unsupported:
      return missing.missing(comparison.operation.text, at: comparison.operationSpan)
    }
  }

  private mutating func right(_ comparison: Comparison, _ scope: SQLScope) -> String {
    side(comparison.right, beside: comparison.left, scope)
  }

  private mutating func between(
    _ comparison: Comparison, _ left: String, _ scope: SQLScope
  ) -> String {
    guard let bounds = elements(of: comparison.right), bounds.count == 2 else {
      return missing.missing(localized("BETWEEN without two bounds"), at: comparison.right.span)
    }
    let (low, high) = (expression(bounds[0], scope), expression(bounds[1], scope))
    return "coalesce(\(left) BETWEEN \(low) AND \(high), 0)"
  }

  private mutating func isIn(
    _ comparison: Comparison, _ left: String, _ scope: SQLScope
  ) -> String {
    guard let values = elements(of: comparison.right) else {
      return missing.missing(localized("IN without a list of values"), at: comparison.right.span)
    }
    var texts: [String] = []
    for value in values { texts.append(expression(value, scope)) }
    return "coalesce(\(left) IN (\(texts.joined(separator: ", "))), 0)"
  }

  private mutating func search(
    _ comparison: Comparison, _ left: String, _ scope: SQLScope
  ) -> String {
    if case .constant(let constant) = comparison.right.kind, constant.value == .string("") {
      return "0"
    }
    let needle = expression(comparison.right, scope)
    let test =
      switch comparison.operation {
      case .beginsWith: "substr(\(left), 1, length(\(needle))) = \(needle)"
      case .endsWith: "substr(\(left), -length(\(needle))) = \(needle)"
      default: "instr(\(left), \(needle)) > 0"
      }
    return comparison.right.isFixed
      ? "coalesce(\(test), 0)" : "coalesce(\(needle) <> '' AND \(test), 0)"
  }

  /// `*` is GLOB's as well; what else means something in one of the two is left alone.
  private func like(_ comparison: Comparison, _ left: String) -> String {
    guard case .constant(let constant) = comparison.right.kind,
      case .string(let pattern) = constant.value, !pattern.contains(where: { "?\\".contains($0) })
    else {
      return missing.missing(localized("LIKE with this pattern"), at: comparison.operationSpan)
    }
    return "coalesce(\(left) GLOB \(pattern.replacing("[", with: "[[]").sqlText), 0)"
  }

  /// The elements of a list that is written out.
  private func elements(of list: ExpressionTree) -> [ExpressionTree]? {
    switch list.kind {
    case .aggregate(let parts): parts
    case .constant(let constant):
      if case .list(let values) = constant.value {
        values.map { ExpressionTree(.constant(Constant($0)), span: list.span) }
      } else {
        nil
      }
    default: nil
    }
  }
}
