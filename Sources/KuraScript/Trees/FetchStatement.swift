package import KuraPredicates

/// `MemoDate where … sort … offset … limit …`, the clauses in any order.
package struct FetchStatement: Sendable {
  package var entity: Name
  package var predicate: PredicateTree?
  package var sort: [SortTree] = []
  /// A number or a variable.
  package var offset: ExpressionTree?
  package var limit: ExpressionTree?

  package init(entity: Name) { self.entity = entity }
}
