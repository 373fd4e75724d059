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
    summary: "opens a scratch context: what is changed in it is seen elsewhere at commit only",
    example: "begin \"add a date\""
  ) { parser throws(SyntaxError) in
    let token = parser.optional
    guard token.end == nil, !token.is(.semicolon) else { return BeginStatement() }
    return BeginStatement(
      name: token.kind == .string ? try parser.takeString() : try parser.takeName(.contextName))
  }

  static let commit = StatementSyntax(
    "commit", synopsis: "commit",
    summary: "takes the scratch context's changes into the context around it, as one step",
    example: "commit"
  ) { _ throws(SyntaxError) in
    CommitStatement()
  }

  static let cancel = StatementSyntax(
    "cancel", synopsis: "cancel", summary: "drops the scratch context and what was changed in it",
    example: "cancel"
  ) { _ throws(SyntaxError) in
    CancelStatement()
  }
}
