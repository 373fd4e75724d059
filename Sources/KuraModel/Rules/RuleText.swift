import KuraDiagnostics
import KuraPredicates

/// A rule's text and its tree.
enum RuleText {
  static func predicate(_ text: String) throws(Diagnostic) -> PredicateTree {
    PredicateTree(.constant(text == "TRUEPREDICATE"))
  }
  static func expression(_ text: String) throws(Diagnostic) -> ExpressionTree {
    ExpressionTree(.evaluatedObject)
  }
  static func text(_ tree: PredicateTree) -> String { "TRUEPREDICATE" }
  static func text(_ tree: ExpressionTree) -> String { "SELF" }
}
