import KuraDiagnostics
import KuraModel
import KuraSentences
import KuraValues

/// A predicate of a quiz, in Kura's language and in words.
struct QuizPredicate: Equatable {
  var text: String
  var english: String
  var japanese: String

  func words(in language: Language) -> String {
    switch language {
    case .english: english
    case .japanese: japanese
    }
  }
}

extension QuizPredicate {
  static func and(_ a: QuizPredicate, _ b: QuizPredicate) -> QuizPredicate {
    QuizPredicate(
      text: "\(a.text) AND \(b.text)", english: "\(a.english), and \(b.english)",
      japanese: "\(a.japanese)、かつ\(b.japanese)")
  }

  static func or(_ a: QuizPredicate, _ b: QuizPredicate) -> QuizPredicate {
    QuizPredicate(
      text: "\(a.text) OR \(b.text)", english: "\(a.english), or \(b.english)",
      japanese: "\(a.japanese)、または\(b.japanese)")
  }

  var negated: QuizPredicate {
    QuizPredicate(
      text: "NOT (\(text))", english: "it is not true that \(english)",
      japanese: "「\(japanese)」ではない")
  }
}

/// One key compared with one value.
struct QuizComparison {
  enum Operator: CaseIterable {
    case equal, notEqual, less, atLeast, begins, contains, isNil, isNotNil
  }

  var key: String
  var operation: Operator
  var value: String = ""

  var predicate: QuizPredicate {
    switch operation {
    case .equal: said("\(key) == \(value)", "\(key) is \(value)", "\(key)が\(value)である")
    case .notEqual:
      said("\(key) != \(value)", "\(key) is not \(value)", "\(key)が\(value)ではない")
    case .less:
      said("\(key) < \(value)", "\(key) is less than \(value)", "\(key)が\(value)より小さい")
    case .atLeast:
      said("\(key) >= \(value)", "\(key) is at least \(value)", "\(key)が\(value)以上である")
    case .begins:
      said(
        "\(key) BEGINSWITH \(value)", "\(key) begins with \(value)", "\(key)が\(value)で始まる")
    case .contains:
      said("\(key) CONTAINS \(value)", "\(key) contains \(value)", "\(key)が\(value)を含む")
    case .isNil: said("\(key) == nil", "\(key) has no value", "\(key)がない")
    case .isNotNil: said("\(key) != nil", "\(key) has a value", "\(key)がある")
    }
  }

  private func said(_ text: String, _ english: String, _ japanese: String) -> QuizPredicate {
    QuizPredicate(text: text, english: english, japanese: japanese)
  }

  /// Returns the predicate about the elements of a collection, with the key of the elements.
  func predicate(of relationship: String, _ modifier: Modifier) -> QuizPredicate {
    var inner = self
    inner.key = "\(relationship).\(key)"
    let (own, text) = (predicate, inner.predicate.text)
    return switch modifier {
    case .any:
      said(
        "ANY \(text)", "for at least one of \(relationship), \(own.english)",
        "\(relationship)の中に「\(own.japanese)」ものが少なくとも一つある")
    case .none:
      said(
        "NONE \(text)", "for none of \(relationship), \(own.english)",
        "\(relationship)の中に「\(own.japanese)」ものが一つもない")
    case .all:
      said(
        "ALL \(text)", "for all of \(relationship), \(own.english)",
        "\(relationship)のすべてが「\(own.japanese)」")
    }
  }

  enum Modifier: CaseIterable { case any, none, all }
}
