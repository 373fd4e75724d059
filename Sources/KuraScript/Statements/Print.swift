package import KuraPredicates

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
