package import KuraPredicates
import KuraSentences

/// A rule of the predicate language that explains the difference of two predicates.
package enum SeparatingRule: Sendable, Hashable {
  /// `dueDate` is nil in every object that differs.
  case null(key: String, isElement: Bool, involves: NullRule)
  /// `items` is empty in every object that differs.
  case empty(collection: String)
  /// `ANY … == x` and `NOT ANY … != x` or `ALL`
  case quantifiers
  /// Two ANYs compared with one SUBQUERY
  case sameElement
  /// `[c]` or `[d]` in only one predicate
  case letters(ComparisonOptions)
  /// `<` compared with `<=`
  case border
  /// `CONTAINS` compared with `BEGINSWITH`
  case operators(String, String)
  /// The same parts, joined differently.
  case connectives
  /// One predicate has an additional condition.
  case morePart(String)
  /// The same objects match, but limit or offset select others of them.
  case extent

  package enum NullRule: Sendable, Hashable {
    /// `NOT dueDate >= x`
    case negation
    /// `kind != "x"`
    case unequal
    /// Only comparisons
    case comparison
  }
}

extension SeparatingRule {
  /// A sentence that explains the rule.
  package var sentence: String {
    switch self {
    case .null(let key, let isElement, let rule):
      isElement
        ? localized("in each object that differs, \(key) is nil for some element: \(rule.sentence)")
        : localized("in each object that differs, \(key) is nil: \(rule.sentence)")
    case .empty(let collection):
      localized(
        "in each object that differs, \(collection) is empty: ALL and NONE are true, ANY is false")
    case .quantifiers:
      localized(
        "ANY requires that at least one element matches, ALL that every element matches, NONE and NOT ANY that no element matches"
      )
    case .sameElement:
      localized("each ANY can match a different element; in SUBQUERY one element must match all")
    case .letters(let options): options.rule
    case .border:
      localized(
        "the predicates differ at the bound itself: < and > exclude it, <= and >= include it")
    case .operators(let a, let b): localized("\(a) and \(b) test different things")
    case .connectives:
      localized(
        "the same conditions are combined differently: NOT binds tighter than AND, and AND tighter than OR"
      )
    case .morePart(let part): localized("only one of the two predicates has the condition \(part)")
    case .extent: localized("the same objects match, but limit or offset select different ones")
    }
  }
}

extension SeparatingRule.NullRule {
  fileprivate var sentence: String {
    switch self {
    case .negation: localized("a comparison with nil is never true, so its negation is true")
    case .unequal:
      localized(
        "nil differs from every value, so != is true; other comparisons with nil are not true")
    case .comparison: localized("a comparison with nil is never true")
    }
  }
}

extension ComparisonOptions {
  fileprivate var rule: String {
    var parts: [String] = []
    if contains(.caseInsensitive) {
      parts.append(localized("[c] ignores case"))
    }
    if contains(.diacriticInsensitive) {
      parts.append(localized("[d] ignores diacritics such as the accent of é"))
    }
    if contains(.normalized) {
      parts.append(localized("[n] compares strings as they are, byte by byte"))
    }
    if contains(.localeSensitive) { parts.append(localized("[l] follows the locale")) }
    return parts.list
  }
}
