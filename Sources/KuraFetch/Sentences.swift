package import KuraDiagnostics
import KuraSentences
package import KuraValues

/// Problems of a request that fits the model, but not the data.
package enum FetchProblem: Sendable {
  /// `fetch Item/99`
  case missingSource(String)
  /// `print MemoDate/99.title`
  case missingObject(ObjectID)
  /// Rows with this heading are not consecutive; `again` begins the second run.
  case brokenSection(heading: String, first: String, again: String)
}

extension FetchProblem: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .missingSource(let text): localized("there is no object \(text)")
    case .missingObject(let id): localized("there is no \(id)")
    case .brokenSection(let heading, let first, let again):
      localized("the section \(heading) appears twice: at \(first) and again at \(again)")
    }
  }

  package var help: String? {
    switch self {
    case .missingSource, .missingObject: nil
    case .brokenSection: localized("sort by the section key first, or remove sort")
    }
  }
}
