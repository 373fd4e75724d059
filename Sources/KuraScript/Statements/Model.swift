import KuraPredicates

/// `model`, `model as mermaid`
package struct ModelStatement: StatementTree {
  package var format: Name?
}

/// `describe Item`
package struct DescribeStatement: StatementTree {
  package var entity: Name
}

extension StatementSyntax {
  static let model = StatementSyntax(
    "model", synopsis: "model [as text|boxes|mermaid|dot|svg|swift]",
    summary:
      "shows the model as statements that rebuild it, as a diagram, or as classes of Core Data",
    example: "model as mermaid"
  ) { parser throws(SyntaxError) in
    ModelStatement(format: try parser.readModelFormat())
  }

  /// The words that may follow `model as`.
  package static let modelFormats = ["text", "boxes", "mermaid", "dot", "svg", "swift"]
}

extension StatementParser {
  fileprivate func readModelFormat() throws(SyntaxError) -> Name? {
    if optional.end == .text { predicates.expectAtEnd(.words(["as"])) }
    guard optional.end == nil else { return nil }
    guard takeWord("as") != nil else { throw expected(.word("as")) }
    return try takeChoice(StatementSyntax.modelFormats)
  }
}

extension StatementSyntax {
  static let describe = StatementSyntax(
    "describe", synopsis: "describe ENTITY",
    summary: "lists the keys, types and rules of an entity",
    example: "describe MemoDate"
  ) { parser throws(SyntaxError) in
    DescribeStatement(entity: try parser.takeName(.entity))
  }
}

/// `alter entity Item …`
package struct AlterStatement: StatementTree {
  package var entity: Name
  package var change: Change

  package enum Change: Sendable {
    /// `add note: string?`
    case add(PropertyDeclaration)
    /// `add index (category, date desc)`
    case addIndex(IndexDeclaration)
    /// `drop note`
    case drop(Name)
    /// `drop index date`
    case dropIndex(IndexDeclaration)
    /// `rename title to name`
    case rename(Name, to: Name)
    /// `rename to Task`
    case renameEntity(to: Name)
    /// `change due: date?`
    case change(PropertyDeclaration)
  }
}

extension StatementSyntax {
  static let alter = StatementSyntax(
    "alter",
    synopsis: """
      alter entity NAME add KEY: TYPE …
      alter entity NAME add index (KEY [desc], …)
      alter entity NAME drop KEY
      alter entity NAME drop index (KEY [desc], …)
      alter entity NAME rename KEY to KEY
      alter entity NAME rename to NAME
      alter entity NAME change KEY: TYPE …
      """,
    summary: "changes an entity and the values of its objects",
    example: "alter entity Item add note: string?"
  ) { parser throws(SyntaxError) in
    try parser.readAlteration()
  }
}

extension StatementParser {
  fileprivate func readAlteration() throws(SyntaxError) -> AlterStatement {
    guard isWord(required, "entity") else { throw expected(.word("entity")) }
    take()
    let entity = try takeName(.entity)
    isAbout(FetchSource(.entity(entity.text), span: entity.span))
    return AlterStatement(entity: entity, change: try readChange())
  }

  private func readChange() throws(SyntaxError) -> AlterStatement.Change {
    let token = required
    guard token.kind == .word else { throw expected(.alteration) }
    switch text(token).lowercased() {
    case "add":
      take()
      predicates.recorder?.open = []
      return startsIndex ? .addIndex(try readIndex()) : .add(try readProperty())
    case "drop":
      take()
      if startsIndex { return .dropIndex(try readIndex()) }
      return .drop(try takeName(.key))
    case "change":
      take()
      return .change(try readProperty())
    case "rename":
      take()
      return try readRenaming()
    default:
      throw unknownWord(token, among: ["add", "drop", "rename", "change"]) {
        .unknownChoice($0, near: $1, known: $2)
      }
    }
  }

  /// Reads `rename title to name` or `rename to Task`; a key may have the name `to`.
  private func readRenaming() throws(SyntaxError) -> AlterStatement.Change {
    let next = cursor.peek()
    if isWord(required, "to"), !isWord(next, "to") {
      take()
      return .renameEntity(to: try takeName(.entity))
    }
    let key = try takeName(.key)
    guard isWord(required, "to") else { throw expected(.word("to")) }
    take()
    predicates.recorder?.open = []
    return .rename(key, to: try takeName(.key))
  }
}
