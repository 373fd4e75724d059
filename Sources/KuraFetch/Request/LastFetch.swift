import KuraGraph

/// The objects that the last fetch found: by their numbers, so that no state of the graph is kept.
package struct LastFetch: Sendable {
  package let entity: String
  let numbers: [Int64]

  package init(_ result: FetchResult) {
    let identifiers = result.snapshot.graph.tables[result.table].identifiers
    entity = result.entity
    numbers = result.rows.map { identifiers[Int($0)] }
  }

  /// The rows of those that are still there, ascending.
  func rows(in graph: Graph) -> [UInt32] {
    guard let place = graph.place(of: entity) else { return [] }
    let table = graph.tables[place.table]
    let rows = numbers.compactMap { table.row(of: $0) }
    return rows.map { UInt32(truncatingIfNeeded: $0) }.sorted()
  }
}
