package import KuraPredicates

/// `print 1 + 2, today()`
package struct PrintStatement: StatementTree {
  package var expressions: [ExpressionTree]

  package var typedParts: [TypedPart] { [.expressions(expressions)] }
}

extension StatementSyntax {
  static let print = StatementSyntax(
    "print", synopsis: "print EXPR, …", summary: "the values of expressions",
    example: "print 1 + 2, today()"
  ) { parser throws(SyntaxError) in
    PrintStatement(expressions: try parser.readExpressions())
  }
}

extension StatementParser {
  fileprivate func readExpressions() throws(SyntaxError) -> [ExpressionTree] {
    var trees = [try predicates.parseExpressionOrPredicate()]
    while takeComma() { trees.append(try predicates.parseExpressionOrPredicate()) }
    return trees
  }
}
