import KuraPredicates

extension StatementSyntax {
  static let exists = StatementSyntax(
    "exists", synopsis: "exists ENTITY [where PREDICATE] [without subentities]",
    summary: "whether a predicate lets any object through",
    example: "exists MemoDate where notifiable == YES"
  ) { parser throws(SyntaxError) in
    .fetch(try parser.readFetch(.exists))
  }
}
