package import KuraDiagnostics
import KuraPredicates
import KuraSentences
import KuraValues

/// The reason why a fetch finds nothing, or every object, although each part of it is valid.
package enum FetchNote: DiagnosticFacts, Equatable {
  /// `year < 1900 AND year > 1950`
  case neverBoth(String, String)
  /// `author != "a" OR author != "b"`
  case alwaysOne(String, String)
  /// `month(added) == 0`: the expression, its bounds and the comparison
  case outOfRange(String, low: String, high: String?, comparison: String)
  /// `pages / 500 > 0.8`: a quotient of integers
  case wholeQuotient(String)
  /// `ALL tags.name == "x"`, if an object has no tags
  case allOfNone(String)
  /// `sort 2 desc`
  case sortsNothing(String)
  /// `title CONTAINS "*Sea*"`
  case wildcard(operation: String)
  /// `title LIKE "Sea"`, if a title contains it
  case wholeText(operation: String)
  /// `year BETWEEN {1950, 1900}`
  case reversedBounds(String)
  /// `title == "the sea"`, if there is `The Sea`
  case otherCase(String)
  /// `title == "The  Sea"`, if there is `The Sea`
  case nearValue(String, typed: String, near: String, NearValue.Way)
  /// `title CONTAINS "ｓｅａ"`, if there is `The Sea`
  case nearPart(String, operation: String, typed: String, near: String, NearValue.Way)
  /// `ANY labels == "bug"`, if `ANY labels.name == "bug"` matches
  case otherPath(String, found: String)
  /// `added <= "2026-01-06"`, if there is `2026-01-06 10:30`
  case firstMoment(String, day: String, isLater: Bool)

  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .neverBoth(let one, let other):
      localized("no object matches both \(one) and \(other)")
    case .alwaysOne(let one, let other):
      localized("every object matches \(one) or \(other)")
    case .outOfRange(let subject, let low, let high?, let comparison):
      localized("\(subject) is from \(low) to \(high), so \(comparison) is never true")
    case .outOfRange(let subject, let low, nil, let comparison):
      localized("\(subject) is at least \(low), so \(comparison) is never true")
    case .wholeQuotient(let division):
      localized("\(division) is integer division, which drops the fraction")
    case .allOfNone(let collection):
      localized(
        "ALL is true for an object without \(collection), and the result contains such objects")
    case .sortsNothing(let key):
      localized("\(key) is the same for every object, so it does not affect the order")
    case .wildcard(let operation):
      localized("\(operation) has no wildcards; it searches for the character itself")
    case .wholeText(let operation):
      localized("\(operation) compares the whole string, not a part of it")
    case .reversedBounds(let comparison):
      localized("\(comparison) is never true: its first bound is greater than the second")
    case .otherCase(let comparison):
      localized("no object matches \(comparison), but one does with [c], which ignores case")
    case .nearValue(let key, let typed, _, .codePoints),
      .nearPart(let key, _, let typed, _, .codePoints):
      localized(
        "\(quoted(typed)) looks like a string in \(key), but is written with different code points")
    case .nearValue(let key, let typed, let near, _):
      localized("no \(key) is \(quoted(typed)), but one is \(quoted(near))")
    case .nearPart(let key, let operation, let typed, let near, _):
      localized("no \(key) \(operation) \(quoted(typed)), but one is \(quoted(near))")
    case .otherPath(let comparison, let found):
      localized("no object matches \(comparison), but one matches \(found)")
    case .firstMoment(let key, let day, true):
      localized("\(day) is the start of that day, so \(key) includes later times of that day")
    case .firstMoment(let key, let day, false):
      localized("\(day) is the start of that day, so \(key) leaves out later times of that day")
    }
  }

  package var help: String? {
    switch self {
    case .neverBoth: localized("to match either, use OR")
    case .alwaysOne: localized("to match both, use AND")
    case .sortsNothing: localized("sort by a key or a column")
    case .nearValue(_, _, _, let way), .nearPart(_, _, _, _, let way): way.help
    case .otherCase, .outOfRange, .wholeQuotient, .allOfNone, .reversedBounds,
      .wildcard, .wholeText, .otherPath, .firstMoment:
      nil
    }
  }
}

extension NearValue.Way {
  fileprivate var help: String? {
    switch self {
    case .letterCase: localized("upper and lower case differ; [c] ignores case")
    case .blanks: localized("spaces are compared too")
    case .width: localized("full-width and half-width characters differ")
    case .forms: localized("they are written with different characters")
    case .codePoints, .wildcards, .spelling: nil
    }
  }
}
