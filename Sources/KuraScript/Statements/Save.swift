import KuraPredicates

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
