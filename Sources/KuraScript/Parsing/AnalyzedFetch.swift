package import KuraPredicates

/// The fetch that a statement analyzes: part of the statement, or a saved request.
package enum AnalyzedFetch: Sendable {
  /// `fetch Item where done == NO`, also without its first word
  case fetch(FetchTree)
  /// `run Overdue(today())`
  case run(RunStatement)

  var typedParts: [TypedPart] {
    switch self {
    case .fetch(let fetch): fetch.typedParts
    case .run(let run): run.typedParts
    }
  }
}

extension StatementParser {
  /// Reads `Item where …`, with or without the word `fetch` before it, or `run NAME(…)`.
  ///
  /// An entity can have one of those words as its name; the next token decides.
  func readAnalyzedFetch(until ends: EndWords = []) throws(SyntaxError) -> AnalyzedFetch {
    predicates.expectAtEnd(.words(["fetch", "run"]))
    let word = text(required).lowercased()
    let next = cursor.peek()
    guard required.kind == .word, mayBegin(source: next) else {
      return .fetch(try readFetch(until: ends))
    }
    if word == "run" {
      take()
      return .run(try readRun())
    }
    guard let result = FetchTree.Result(rawValue: word) else {
      return .fetch(try readFetch(until: ends))
    }
    take()
    return .fetch(try readFetch(result, until: ends))
  }

  /// Returns whether a token is a name, and not a clause.
  private func mayBegin(source token: Token) -> Bool {
    switch token.kind {
    case .word: FetchClause(word: bytes(token)) == nil
    case .hashWord, .variable: true
    default: false
    }
  }
}
