package import KuraDiagnostics
import KuraPredicates

/// `undo`, `undo 3`, `undo list`
package enum UndoStatement: StatementTree {
  case steps(StepCount)
  case list
}

/// `redo`, `redo 3`
package struct RedoStatement: StatementTree {
  package var steps: StepCount
}

/// A number of steps, with its span.
package struct StepCount: Sendable {
  package var count: Int
  package var span: SourceSpan
}

extension StatementSyntax {
  static let undo = StatementSyntax(
    "undo", synopsis: "undo [N]\nundo list",
    summary: "undoes the last statement that changed something, or the last N",
    example: "undo 3"
  ) { parser throws(SyntaxError) in
    if parser.takeWord("list") != nil { return UndoStatement.list }
    return UndoStatement.steps(try parser.readSteps(or: .steps))
  }

  static let redo = StatementSyntax(
    "redo", synopsis: "redo [N]", summary: "redoes the last undone change", example: "redo"
  ) { parser throws(SyntaxError) in
    RedoStatement(steps: try parser.readSteps(or: .stepCount))
  }
}

extension StatementParser {
  /// Reads a number of steps; 1 if there is none.
  fileprivate func readSteps(
    or wanted: StatementProblem.Wanted
  ) throws(SyntaxError) -> StepCount {
    let token = optional
    guard token.end == nil, !token.is(.semicolon) else {
      return StepCount(count: 1, span: lastSpan)
    }
    guard token.kind == .number, let count = Int(text(token)), count > 0 else {
      throw expected(wanted)
    }
    take()
    return StepCount(count: count, span: token.span)
  }
}

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

/// `save`, `save "FILE" replacing`
package struct SaveStatement: StatementTree {
  package var file: Name?
  package var replaces = false
}

/// `rollback`
package struct RollbackStatement: StatementTree {}

/// `changes`, `changes since 12`
package struct ChangesStatement: StatementTree {
  /// The save; nil for the last one.
  package var since: SaveNumber?
}

extension StatementSyntax {
  static let save = StatementSyntax(
    "save", synopsis: "save [\"FILE\" [replacing]]",
    summary: "saves the changes to the store, or everything to a new one",
    example: "save \"copy.json\" replacing"
  ) { parser throws(SyntaxError) in
    guard parser.optional.end == nil else { return SaveStatement() }
    let file = try parser.takeString()
    return SaveStatement(file: file, replaces: parser.takeWord("replacing") != nil)
  }

  static let rollback = StatementSyntax(
    "rollback", synopsis: "rollback",
    summary: "undoes all changes of objects and entities since the last save",
    example: "rollback"
  ) { _ throws(SyntaxError) in
    RollbackStatement()
  }

  static let changes = StatementSyntax(
    "changes", synopsis: "changes\nchanges since SAVE",
    summary: "lists all changes since the last save, with old and new values",
    example: "changes"
  ) { parser throws(SyntaxError) in
    guard parser.takeWord("since") != nil else { return ChangesStatement() }
    return ChangesStatement(since: try parser.takeSave())
  }
}
