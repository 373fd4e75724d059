import KuraPredicates

/// `begin "add a date"`
package struct BeginStatement: StatementTree {
  package var name: Name?
}

/// `commit`
package struct CommitStatement: StatementTree {}

/// `cancel`
package struct CancelStatement: StatementTree {}

extension StatementSyntax {
  static let begin = StatementSyntax(
    "begin", synopsis: "begin [NAME]",
    summary: "opens a scratch context, whose changes are invisible until commit",
    example: "begin \"add a date\""
  ) { parser throws(SyntaxError) in
    let token = parser.optional
    guard token.end == nil, !token.is(.semicolon) else { return BeginStatement() }
    return BeginStatement(
      name: token.kind == .string ? try parser.takeString() : try parser.takeName(.contextName))
  }

  static let commit = StatementSyntax(
    "commit", synopsis: "commit",
    summary: "applies the scratch context's changes outside it, as one step",
    example: "commit"
  ) { _ throws(SyntaxError) in
    CommitStatement()
  }

  static let cancel = StatementSyntax(
    "cancel", synopsis: "cancel", summary: "discards the scratch context and its changes",
    example: "cancel"
  ) { _ throws(SyntaxError) in
    CancelStatement()
  }
}
