package import KuraPredicates

/// `let $soon = dateByAdding(today(), 7, "day")`
package struct LetStatement: StatementTree {
  /// The name without `$`.
  package var name: Name
  package var value: Source

  package enum Source: Sendable {
    /// `dateByAdding(today(), 7, "day")`
    case expression(ExpressionTree)
    /// `fetch MemoDate where date < "1950-01-01"`
    case fetch(FetchTree)
    /// `insert Category name = "Home"`
    case insert(InsertStatement)
    /// `predicate parentCategory.name == "家"`
    case predicate(PredicatePart)
  }

  package var typedParts: [TypedPart] {
    switch value {
    case .expression(let tree): [.expressions([tree])]
    case .fetch(let fetch): fetch.typedParts
    case .insert(let insert): insert.typedParts
    case .predicate: []
    }
  }
}

/// A predicate that gets a name: `parentCategory.name == "家"`
package struct PredicatePart: Sendable {
  package var tree: PredicateTree
  /// The text as written; the tree's spans refer to the enclosing text.
  package var text: String
}

extension StatementSyntax {
  static let `let` = StatementSyntax(
    "let",
    synopsis: """
      let $NAME = EXPR
      let $NAME = fetch ENTITY …
      let $NAME = insert ENTITY …
      let $NAME = insert or fetch ENTITY …
      let $NAME = predicate PREDICATE
      """,
    summary: "names a value, the objects of a fetch, a new object or a predicate",
    example: "let $soon = dateByAdding(today(), 7, \"day\")"
  ) { parser throws(SyntaxError) in
    try parser.readLet()
  }
}

extension StatementParser {
  fileprivate func readLet() throws(SyntaxError) -> LetStatement {
    let name = try takeVariable()
    try take(.equal)
    predicates.expectAtEnd(.words(["fetch", "count", "exists", "insert", "predicate"]))
    let first = required
    let mayBeStatement = predicates.isFetchSource(cursor.peek())
    if mayBeStatement, let result = fetchResult(first) {
      take()
      return LetStatement(name: name, value: .fetch(try readFetch(result)))
    }
    if isWord(first, "insert"), mayBeStatement || isWord(cursor.peek(), "or") {
      take()
      return LetStatement(name: name, value: .insert(try readInsert()))
    }
    if let part = try readPredicatePart() {
      return LetStatement(name: name, value: .predicate(part))
    }
    return LetStatement(
      name: name, value: .expression(try predicates.parseExpressionOrPredicate()))
  }

  /// Reads `predicate parentCategory.name == "家"`; nil if another word follows.
  func readPredicatePart() throws(SyntaxError) -> PredicatePart? {
    takeWord("predicate") == nil ? nil : try parsePredicatePart()
  }

  /// Reads `parentCategory.name == "家"`.
  package func parsePredicatePart() throws(SyntaxError) -> PredicatePart {
    let tree = try predicates.parsePredicate()
    return PredicatePart(tree: tree, text: cursor.text(tree.span))
  }

  /// Returns the result of `fetch`, `count` or `exists`.
  private func fetchResult(_ token: Token) -> FetchTree.Result? {
    token.kind == .word ? FetchTree.Result(rawValue: text(token).lowercased()) : nil
  }

  /// Reads `$home`.
  func takeVariable() throws(SyntaxError) -> Name {
    let token = required
    if token.kind == .word {
      throw error(.variableWithoutSign(text(token)), at: token.span, fix: "$" + text(token))
    }
    guard token.kind == .variable else { throw expected(.variable) }
    take()
    return Name(try predicates.name(of: token), span: token.span)
  }
}

/// `print 1 + 2 as sum, today()`
package struct PrintStatement: StatementTree {
  package var expressions: [ExpressionTree]
  /// The name of each expression; nil for its text.
  package var names: [Name?]

  package var typedParts: [TypedPart] { [.expressions(expressions)] }
}

extension StatementSyntax {
  static let print = StatementSyntax(
    "print", synopsis: "print EXPR [as NAME], …", summary: "prints the values of expressions",
    example: "print 1 + 2, today()"
  ) { parser throws(SyntaxError) in
    try parser.readPrint()
  }
}

extension StatementParser {
  fileprivate func readPrint() throws(SyntaxError) -> PrintStatement {
    predicates.clauseWords = ["as"]
    var statement = PrintStatement(expressions: [], names: [])
    repeat {
      statement.expressions.append(try predicates.parseExpressionOrPredicate())
      predicates.expectAtEnd(.words(["as"]))
      statement.names.append(takeWord("as") == nil ? nil : try takeName(.key))
    } while takeComma()
    return statement
  }
}
