import KuraPredicates

extension StatementSyntax {
  static let describe = StatementSyntax(
    "describe", synopsis: "describe ENTITY", summary: "an entity's keys, types and rules",
    example: "describe MemoDate"
  ) { parser throws(SyntaxError) in
    .describe(try parser.takeName(.entity))
  }
}
