package import KuraPredicates

/// `explain fetch …`, `explain analyze run Overdue(today())`, `explain watch fetch …`
package struct ExplainStatement: StatementTree {
  /// Whether it is run, so that the number of rows of each node is shown.
  package var isAnalysis: Bool
  package var subject: Subject

  package enum Subject: Sendable {
    /// `fetch Item where done == NO`, `count Item`
    case fetch(FetchTree)
    /// `run Overdue(today())`
    case run(RunStatement)
    /// `watch fetch Item`: also how its result is kept up to date
    case watch(AnalyzedFetch)
  }

  init(isAnalysis: Bool, _ subject: Subject) {
    self.isAnalysis = isAnalysis
    self.subject = subject
  }

  package var typedParts: [TypedPart] {
    switch subject {
    case .fetch(let fetch): fetch.typedParts
    case .run(let run): run.typedParts
    case .watch(let asked): asked.typedParts
    }
  }
}

extension StatementSyntax {
  static let explain = StatementSyntax(
    "explain", synopsis: "explain [analyze] FETCH\nexplain [analyze] watch FETCH",
    summary: "shows how a fetch is executed; analyze adds counts and times",
    example: "explain analyze fetch MemoDate where notifiable == YES sort date limit 3"
  ) { parser throws(SyntaxError) in
    try parser.readExplain()
  }
}

extension StatementParser {
  fileprivate func readExplain() throws(SyntaxError) -> ExplainStatement {
    let isAnalysis = takeWord("analyze") != nil
    predicates.expectAtEnd(.words(["fetch", "count", "exists", "run", "watch"]))
    let token = required
    guard token.kind == .word else { throw expected(.word("fetch")) }
    let word = text(token).lowercased()
    if let result = FetchTree.Result(rawValue: word) {
      take()
      return ExplainStatement(isAnalysis: isAnalysis, .fetch(try readFetch(result)))
    }
    if word == "watch" {
      take()
      return ExplainStatement(isAnalysis: isAnalysis, .watch(try readAnalyzedFetch()))
    }
    guard word == "run" else {
      throw unknownWord(token, among: ["fetch", "count", "exists", "run", "watch", "analyze"]) {
        .unknownChoice($0, near: $1, known: $2)
      }
    }
    take()
    return ExplainStatement(isAnalysis: isAnalysis, .run(try readRun()))
  }
}
