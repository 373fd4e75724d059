import KuraChecking
import KuraDiagnostics
package import KuraGraph
package import KuraPredicates

/// A request whose names and literals have been checked against a model.
package struct BoundRequest: Sendable {
  package let snapshot: GraphSnapshot
  package let entity: String
  let place: EntityPlace
  /// The rows that are asked, ascending; nil: all of the entity.
  let rows: [UInt32]?
  /// Whether objects of subentities are asked too.
  let includesSubentities: Bool
  /// The predicate with its literals read as the types they stand against.
  package let predicate: PredicateTree?
  /// By what objects are ordered or, where there are groups, groups.
  package let sort: [SortTree]
  package let offset: Int
  /// Nil: no limit.
  package let limit: Int?
  /// What is shown in place of the objects; nil: the objects.
  let selection: CheckedSelection?
  /// By what the listing has headings.
  let section: CheckedColumn?
  let shared: SharedEnvironment
  /// Who wants to know how it is answered.
  var meter: FetchMeter?

  var environment: FetchEnvironment { shared.environment }
}
