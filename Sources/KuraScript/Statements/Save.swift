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
  /// Nil for the last save.
  package var since: SaveNumber?
}

extension StatementSyntax {
  static let save = StatementSyntax(
    "save", synopsis: "save [\"FILE\" [replacing]]",
    summary: "writes the changes into the store, or everything into a new one",
    example: "save \"copy.json\" replacing"
  ) { parser throws(SyntaxError) in
    guard parser.optional.end == nil else { return SaveStatement() }
    let file = try parser.takeString()
    return SaveStatement(file: file, replaces: parser.takeWord("replacing") != nil)
  }

  static let rollback = StatementSyntax(
    "rollback", synopsis: "rollback",
    summary: "takes back everything since the last save: objects and entities",
    example: "rollback"
  ) { _ throws(SyntaxError) in
    RollbackStatement()
  }

  static let changes = StatementSyntax(
    "changes", synopsis: "changes\nchanges since SAVE",
    summary: "what was inserted, updated (old and new values) and deleted since the last save",
    example: "changes"
  ) { parser throws(SyntaxError) in
    guard parser.takeWord("since") != nil else { return ChangesStatement() }
    return ChangesStatement(since: try parser.takeSave())
  }
}
