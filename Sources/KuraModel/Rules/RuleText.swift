import KuraDiagnostics
import KuraPredicates

/// The text of a rule and its tree: `check` is a predicate, `derived` an expression.
enum RuleText {
  /// `length(title) < 20`
  static func predicate(_ text: String) throws(Diagnostic) -> PredicateTree {
    try PredicateTree(parsing: text)
  }

  /// `items.@count`, or a predicate worth YES or NO: `dueDate < now()`, `NOT done`
  static func expression(_ text: String) throws(Diagnostic) -> ExpressionTree {
    let cursor = TokenCursor(SourceText(text), mode: .format(takesArguments: false))
    do throws(SyntaxError) {
      return try whole(PredicateParser(cursor))
    } catch {
      throw error.diagnostic
    }
  }

  private static func whole(
    _ parser: consuming PredicateParser
  ) throws(SyntaxError) -> ExpressionTree {
    let tree = try parser.parseExpressionOrPredicate()
    try parser.parseEnd()
    return tree
  }

  static func text(_ tree: PredicateTree) -> String { tree.predicateFormat }

  static func text(_ tree: ExpressionTree) -> String { tree.expressionFormat }
}
