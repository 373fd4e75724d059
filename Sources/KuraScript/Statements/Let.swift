package import KuraPredicates

/// `let $soon = dateByAdding(today(), 7, "day")`
package struct LetStatement: StatementTree {
  /// Without its `$`.
  package var name: Name
  package var value: Source

  package enum Source: Sendable {
    /// `dateByAdding(today(), 7, "day")`
    case expression(ExpressionTree)
    /// `fetch MemoDate where date < "1950-01-01"`
    case fetch(FetchTree)
    /// `insert Category name = "Home"`
    case insert(InsertStatement)
  }

  package var typedParts: [TypedPart] {
    switch value {
    case .expression(let tree): [.expressions([tree])]
    case .fetch(let fetch): fetch.typedParts
    case .insert(let insert): insert.typedParts
    }
  }
}

extension StatementSyntax {
  static let `let` = StatementSyntax(
    "let",
    synopsis: """
      let $NAME = EXPR
      let $NAME = fetch ENTITY …
      let $NAME = insert ENTITY …
      """,
    summary: "gives a value, the objects of a fetch or a new object a name",
    example: "let $soon = dateByAdding(today(), 7, \"day\")"
  ) { parser throws(SyntaxError) in
    try parser.readLet()
  }
}

extension StatementParser {
  fileprivate func readLet() throws(SyntaxError) -> LetStatement {
    let name = try takeVariable()
    try take(.equal)
    predicates.noteEnd(.words(["fetch", "count", "exists", "insert"]))
    let first = required
    let mayBeStatement = predicates.isFetchSource(cursor.peek())
    if mayBeStatement, let result = fetchResult(first) {
      take()
      return LetStatement(name: name, value: .fetch(try readFetch(result)))
    }
    if isWord(first, "insert"), mayBeStatement {
      take()
      return LetStatement(name: name, value: .insert(try readInsert()))
    }
    return LetStatement(
      name: name, value: .expression(try predicates.parseExpressionOrPredicate()))
  }

  /// `fetch`, and `count` and `exists` too
  private func fetchResult(_ token: Token) -> FetchTree.Result? {
    token.kind == .word ? FetchTree.Result(rawValue: text(token).lowercased()) : nil
  }

  private func takeVariable() throws(SyntaxError) -> Name {
    let token = required
    if token.kind == .word {
      throw error(.variableWithoutSign(text(token)), at: token.span, fix: "$" + text(token))
    }
    guard token.kind == .variable else { throw expected(.variable) }
    take()
    return Name(try predicates.name(of: token), span: token.span)
  }
}
