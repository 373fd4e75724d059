import KuraPredicates

extension StatementSyntax {
  static let rollback = StatementSyntax(
    "rollback", synopsis: "rollback",
    summary: "takes back everything since the last save: objects and entities",
    example: "rollback"
  ) { _ throws(SyntaxError) in
    .rollback
  }
}
