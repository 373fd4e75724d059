package import KuraDiagnostics
package import KuraPredicates

/// Which objects are wanted, in which order, how many.
package struct FetchRequest: Sendable {
  /// `MemoDate`
  package var entity: String
  /// Where the entity's name stands.
  package var entitySpan: SourceSpan?
  /// `where …`; nil: all objects.
  package var predicate: PredicateTree?
  /// `sort …`; empty: by objectID.
  package var sort: [SortTree]
  /// `offset N`
  package var offset: ExpressionTree?
  /// `limit N`; 0 is no limit.
  package var limit: ExpressionTree?

  package init(
    entity: String, entitySpan: SourceSpan? = nil, predicate: PredicateTree? = nil,
    sort: [SortTree] = [], offset: ExpressionTree? = nil, limit: ExpressionTree? = nil
  ) {
    self.entity = entity
    self.entitySpan = entitySpan
    self.predicate = predicate
    self.sort = sort
    self.offset = offset
    self.limit = limit
  }
}
