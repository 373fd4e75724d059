import KuraPredicates

extension StatementSyntax {
  static let explain = StatementSyntax(
    "explain", synopsis: "explain [analyze] FETCH",
    summary: "how a fetch is answered; with analyze what passes each node, and the time",
    example: "explain analyze fetch MemoDate where notifiable == YES sort date limit 3"
  ) { parser throws(SyntaxError) in
    .explain(try parser.readExplain())
  }
}

extension StatementParser {
  fileprivate func readExplain() throws(SyntaxError) -> ExplainStatement {
    let isAnalysis = takeWord("analyze") != nil
    let token = required
    guard token.kind == .word else { throw expected(.word("fetch")) }
    let word = text(token).lowercased()
    if let result = FetchTree.Result(rawValue: word) {
      take()
      return ExplainStatement(isAnalysis: isAnalysis, .fetch(try readFetch(result)))
    }
    guard word == "run" else {
      throw unknownWord(token, among: ["fetch", "count", "exists", "run", "analyze"]) {
        .unknownChoice($0, near: $1, known: $2)
      }
    }
    take()
    return ExplainStatement(isAnalysis: isAnalysis, .run(try readRun()))
  }
}
