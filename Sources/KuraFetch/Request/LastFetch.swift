package import KuraGraph
package import KuraModel
package import KuraValues

/// The objects that the last fetch found: by their numbers, so that no state of the graph is kept.
package struct LastFetch: Sendable {
  package let entity: String
  let numbers: [Int64]

  package init(_ result: FetchResult) {
    let identifiers = result.snapshot.graph.tables[result.table].identifiers
    entity = result.entity
    numbers = result.rows.map { identifiers[Int($0)] }
  }

  private init(entity: String, numbers: [Int64]) {
    self.entity = entity
    self.numbers = numbers
  }

  /// Those with numbers from some on, which are said by root.
  package func objects(in model: Model, from least: [String: Int64]) -> [ObjectID] {
    let root = model.root(of: entity)
    let first = least[root] ?? 1
    return numbers.lazy.filter { $0 >= first }
      .map { ObjectID(entity: entity, root: root, number: $0) }
  }

  /// The same objects by the numbers they have now.
  package func renumbered(_ renumbering: Renumbering, in model: Model) -> LastFetch {
    let root = model.root(of: entity)
    return LastFetch(
      entity: entity,
      numbers: numbers.map {
        renumbering(ObjectID(entity: entity, root: root, number: $0)).number
      })
  }

  /// The rows of those that are still there, ascending.
  func rows(in graph: Graph) -> [UInt32] {
    guard let place = graph.place(of: entity) else { return [] }
    let table = graph.tables[place.table]
    let rows = numbers.compactMap { table.row(of: $0) }
    return rows.map { UInt32(truncatingIfNeeded: $0) }.sorted()
  }
}
