import KuraPredicates

extension StatementSyntax {
  static let count = StatementSyntax(
    "count", synopsis: "count ENTITY [where PREDICATE] [without subentities]",
    summary: "how many objects a predicate lets through",
    example: "count MemoDate where notifiable == YES"
  ) { parser throws(SyntaxError) in
    .fetch(try parser.readFetch(.count))
  }
}
