import KuraDiagnostics
import KuraPredicates

extension StatementSyntax {
  static let undo = StatementSyntax(
    "undo", synopsis: "undo [N]\nundo list",
    summary: "takes back the last statement that changed something, or the last N",
    example: "undo 3"
  ) { parser throws(SyntaxError) in
    if parser.takeWord("list") != nil { return .undo(.list) }
    return .undo(try parser.readSteps(or: .steps))
  }

  static let redo = StatementSyntax(
    "redo", synopsis: "redo [N]", summary: "does again what was undone last", example: "redo"
  ) { parser throws(SyntaxError) in
    .redo(try parser.readSteps(or: .stepCount))
  }

  static let begin = StatementSyntax(
    "begin", synopsis: "begin [NAME]",
    summary: "opens a scratch context: what is changed in it is seen elsewhere at commit only",
    example: "begin \"add a date\""
  ) { parser throws(SyntaxError) in
    let token = parser.optional
    guard token.end == nil, !token.is(.semicolon) else { return .begin(nil) }
    return .begin(
      token.kind == .string ? try parser.takeString() : try parser.takeName(.contextName))
  }

  static let commit = StatementSyntax(
    "commit", synopsis: "commit",
    summary: "takes the scratch context's changes into the context around it, as one step",
    example: "commit"
  ) { _ throws(SyntaxError) in
    .commit
  }

  static let cancel = StatementSyntax(
    "cancel", synopsis: "cancel", summary: "drops the scratch context and what was changed in it",
    example: "cancel"
  ) { _ throws(SyntaxError) in
    .cancel
  }

  static let changes = StatementSyntax(
    "changes", synopsis: "changes",
    summary: "what was inserted, updated (old and new values) and deleted since the last save",
    example: "changes"
  ) { _ throws(SyntaxError) in
    .changes
  }
}

extension StatementParser {
  /// `3`; one if nothing is said.
  fileprivate func readSteps(
    or wanted: StatementFacts.Wanted
  ) throws(SyntaxError) -> UndoStatement {
    let token = optional
    guard token.end == nil, !token.is(.semicolon) else { return .steps(1, lastSpan) }
    guard token.kind == .number, let count = Int(text(token)), count > 0 else {
      throw expected(wanted)
    }
    take()
    return .steps(count, token.span)
  }
}
