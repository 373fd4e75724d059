package import KuraPredicates
import KuraSentences

/// The rule of the predicate language that explains the difference of two predicates.
package enum SeparatingRule: Sendable, Hashable {
  /// `dueDate` is nil in every object that differs.
  case null(key: String, isElement: Bool, involves: NullRule)
  /// `items` is empty in every object that differs.
  case empty(collection: String)
  /// `ANY … == x` and `NOT ANY … != x`, `ALL`
  case quantifiers
  /// Two ANYs compared with one SUBQUERY
  case sameElement
  /// `[c]` or `[d]` in only one predicate
  case letters(ComparisonOptions)
  /// `<` and `<=`
  case border
  /// `CONTAINS` and `BEGINSWITH`
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
    /// Nothing but comparisons
    case comparison
  }
}

extension SeparatingRule {
  /// A sentence that explains the rule.
  package var sentence: String {
    switch self {
    case .null(let key, let isElement, let rule):
      isElement
        ? localized("where they differ, \(key) is nil of some element: \(rule.sentence)")
        : localized("where they differ, \(key) is nil: \(rule.sentence)")
    case .empty(let collection):
      localized(
        "where they differ, \(collection) is empty: ALL and NONE are true of nothing, ANY is not")
    case .quantifiers:
      localized("ANY wants one element of which it is so, ALL each, NONE and NOT ANY no one")
    case .sameElement:
      localized("each ANY may mean another element; a SUBQUERY asks all of the same one")
    case .letters(let options): options.rule
    case .border:
      localized("they differ at the border itself: < and > leave it out, <= and >= let it in")
    case .operators(let a, let b): localized("\(a) and \(b) ask different things")
    case .connectives:
      localized("the same parts are joined otherwise; AND binds before OR, and NOT before both")
    case .morePart(let part): localized("only one of them asks \(part)")
    case .extent: localized("the same objects pass, and limit or offset take others of them")
    }
  }
}

extension SeparatingRule.NullRule {
  fileprivate var sentence: String {
    switch self {
    case .negation: localized("a comparison with nil is never true, and NOT turns that round")
    case .unequal:
      localized("nil is unequal to any value, so != is true; other comparisons with it are not")
    case .comparison: localized("a comparison with nil is never true")
    }
  }
}

extension ComparisonOptions {
  fileprivate var rule: String {
    var parts: [String] = []
    if contains(.caseInsensitive) {
      parts.append(localized("[c] lets upper and lower case be the same"))
    }
    if contains(.diacriticInsensitive) {
      parts.append(localized("[d] leaves marks such as that of é aside"))
    }
    if contains(.normalized) {
      parts.append(localized("[n] takes the text as it is, byte by byte"))
    }
    if contains(.localeSensitive) { parts.append(localized("[l] goes by the locale")) }
    return parts.list
  }
}
