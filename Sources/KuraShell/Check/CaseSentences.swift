import KuraDiagnostics

/// What `kura check` says of a case that fails.
enum CaseSentences {
  static func fewColumns(_ count: Int) -> String {
    "expected an object, a predicate and a result with TABs between them, found \(count) "
      + (count == 1 ? "column" : "columns")
  }

  static func unknownExpectation(_ text: String) -> String {
    "expected true, false, error, parses or = TEXT in the third column, found \"\(text)\""
  }

  static let badObject = "the first column is neither JSON nor -"

  static func wrong(_ wanted: String, found: String, _ predicate: String?) -> String {
    let place = predicate.map { "\n  \($0)" } ?? ""
    return "expected \(wanted)\n  found \(found)\(place)"
  }

  static func error(
    _ expectation: PredicateCase.Expectation, _ error: any Error, in text: String
  ) -> String {
    let message = Failure(error).rendered(in: SourceText(text), style: .plain)
    return "expected \(expectation.text)\n  found "
      + message.split(separator: "\n").joined(separator: "\n  ")
  }
}

extension PredicateCase.Expectation {
  fileprivate var text: String {
    switch self {
    case .truth(let truth): "\(truth)"
    case .error: "an error"
    case .parses: "that it parses"
    case .prints(let text): text
    }
  }
}
