package import KuraDiagnostics
import KuraSentences

/// The reasons why rows of elements cannot be used like objects; each with the path of the elements.
package enum ElementProblem: DiagnosticFacts {
  /// `context.fetch(FetchRequest("Order.lines"))`
  case fetched(String)
  /// `let $lines = (fetch Order.lines)`
  case inVariable(String)
  /// `watch fetch Order.lines`
  case watched(String)

  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .fetched(let path): localized("the rows of \(path) are not objects of the store")
    case .inVariable(let path):
      localized("a variable cannot contain the rows of \(path), which are not objects of the store")
    case .watched(let path):
      localized("the rows of \(path) cannot be watched, because they are not objects of the store")
    }
  }

  package var help: String? {
    switch self {
    case .fetched: localized("fetch them from a snapshot, or select their values with rows(_:)")
    case .inVariable: localized("select their values: let $x = (fetch … select KEY)")
    case .watched: localized("watch the objects to which the rows belong")
    }
  }
}
