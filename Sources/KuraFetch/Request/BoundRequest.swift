import KuraDiagnostics
package import KuraGraph
package import KuraPredicates

/// A request whose names and literals have been checked against a model.
package struct BoundRequest: Sendable {
  package let snapshot: GraphSnapshot
  package let entity: String
  let place: EntityPlace
  /// The predicate with its literals read as the types they stand against.
  package let predicate: PredicateTree?
  package let sort: [SortTree]
  package let offset: Int
  /// Nil: no limit.
  package let limit: Int?
  let environment: FetchEnvironment
}
