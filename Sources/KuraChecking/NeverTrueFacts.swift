package import KuraDiagnostics
import KuraSentences

/// Why a comparison is true of nothing.
package enum NeverTrueFacts: Sendable, Hashable {
  /// `items.title IN {"x"}`
  case manyInList(String)
  /// `items.title CONTAINS "x"`
  case wholeOfMany(String, String)
  /// `items.title == title`
  case manyAreNotOne(String, String)
  /// `title IN "父"`
  case partOfText(String, String)
  /// `title == rank`, `author == SELF`: each side and what it is
  case neverAlike(String, String, String, String)
  /// `tags == "novel"`, where the values are lists
  case listsAreNotOne(String, operation: String)
}

extension NeverTrueFacts: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .manyInList(let path):
      localized("\"\(path)\" is a collection, which is never one value of a list")
    case .wholeOfMany(let path, let text):
      localized("CONTAINS asks here whether \(text) is the whole of one of \"\(path)\"")
    case .manyAreNotOne(let many, let one):
      localized("\"\(many)\" is a collection, which never equals the one value \"\(one)\"")
    case .partOfText(let path, let text):
      localized("IN asks here whether \"\(path)\" is a part of the text \(text)")
    case .neverAlike(let left, let kind, let right, let other):
      localized("\"\(left)\" is \(kind) and \"\(right)\" \(other): they are never the same value")
    case .listsAreNotOne(let path, let operation):
      localized("the values of \"\(path)\" are lists, and \(operation) compares one value")
    }
  }

  package var help: String? {
    switch self {
    case .manyInList(let path): localized("ask for ANY \(path) IN …")
    case .wholeOfMany(let path, let text):
      localized(
        "for a part of one: ANY \(path) CONTAINS \(text); for the whole: ANY \(path) == \(text)")
    case .manyAreNotOne(let many, let one): localized("ask for \(one) IN \(many)")
    case .partOfText(let path, let text):
      localized(
        "for a part of \"\(path)\": \(path) CONTAINS \(text); for one of several: \(path) IN {\(text)}"
      )
    case .neverAlike: nil
    case .listsAreNotOne(let path, let operation): localized("ask for ANY \(path) \(operation) …")
    }
  }
}
