import KuraPredicates

extension StatementSyntax {
  static let fetch = StatementSyntax(
    "fetch",
    synopsis: """
      fetch ENTITY
        [where PREDICATE]
        [sort KEY [asc|desc] [nulls first|last], …]
        [offset N] [limit N]
      """,
    summary: "the objects of an entity that a predicate lets through",
    example: "fetch MemoDate where title CONTAINS[cd] \"誕生\" sort date desc limit 5"
  ) { parser throws(SyntaxError) in
    .fetch(try parser.readFetch())
  }
}

extension StatementParser {
  /// What follows the word `fetch`.
  func readFetch() throws(SyntaxError) -> FetchStatement {
    var fetch = FetchStatement(entity: try takeName(.entity))
    try readClauses(of: &fetch, among: FetchClause.allCases)
    return fetch
  }
}
