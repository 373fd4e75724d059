package import KuraPredicates
import KuraSentences

/// The rule of the predicate language by which two predicates differ.
package enum SeparatingRule: Sendable, Hashable {
  /// `dueDate` is nil wherever they differ.
  case null(key: String, isElement: Bool, involves: NullRule)
  /// `items` is empty wherever they differ.
  case empty(collection: String)
  /// `ANY … == x` and `NOT ANY … != x`, `ALL`
  case quantifiers
  /// Two ANYs beside one SUBQUERY
  case sameElement
  /// `[c]` or `[d]` on one side
  case letters(ComparisonOptions)
  /// `<` and `<=`
  case border
  /// `CONTAINS` and `BEGINSWITH`
  case operators(String, String)
  /// The same parts, joined otherwise.
  case connectives
  /// One asks more than the other.
  case morePart(String)
  /// The same objects pass, and limit or offset take others of them.
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
  /// What a person has to know to see it coming.
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
