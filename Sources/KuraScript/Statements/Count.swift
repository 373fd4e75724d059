import KuraPredicates

extension StatementSyntax {
  static let count = StatementSyntax(
    "count", synopsis: "count ENTITY [where PREDICATE]",
    summary: "how many objects a predicate lets through",
    example: "count MemoDate where notifiable == YES"
  ) { parser throws(SyntaxError) in
    .count(try parser.readFilter())
  }
}

extension StatementParser {
  /// An entity, and perhaps a predicate, but nothing that orders or limits.
  func readFilter() throws(SyntaxError) -> FetchStatement {
    var fetch = FetchStatement(entity: try takeName(.entity))
    try readClauses(of: &fetch, among: [.where])
    return fetch
  }
}
