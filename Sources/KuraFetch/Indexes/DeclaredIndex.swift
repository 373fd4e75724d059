import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates

/// An index of the model, for the table of an entity.
struct DeclaredIndex {
  let index: FetchIndex
  let keys: [SortedIndex.Key]
  private let graph: Graph
  private let entity: String
  private let place: EntityPlace
  private let environment: FetchEnvironment

  /// Returns nil if a key has no column.
  init?(
    _ index: FetchIndex, _ entity: String, _ place: EntityPlace, _ graph: Graph,
    _ environment: FetchEnvironment
  ) {
    let slots = graph.layout.tables[place.table].slots[place.code]
    let keys = index.elements.mapAll { element -> SortedIndex.Key? in
      guard case .attribute(let column, let type)? = slots[element.key], type.isIndexable else {
        return nil
      }
      return SortedIndex.Key(column: column, isAscending: element.isAscending)
    }
    guard let keys, graph.tables[place.table].identifiers.isAscending else { return nil }
    (self.index, self.keys, self.graph, self.entity) = (index, keys, graph, entity)
    (self.place, self.environment) = (place, environment)
  }

  private var table: Table { graph.tables[place.table] }

  var order: RowOrder { RowOrder(table, keys) }
}

extension Graph {
  /// Returns the indexes of an entity, including inherited ones.
  func indexes(of entity: String, _ place: EntityPlace, _ environment: FetchEnvironment)
    -> [DeclaredIndex]
  {
    model.allIndexes(of: entity).compactMap {
      DeclaredIndex($0.index, entity, place, self, environment)
    }
  }
}

extension DeclaredIndex {
  /// The sorted rows, in which up to 256 changed rows may be misplaced; nil until an index is built.
  var fewChanged: SortedIndex? {
    table.sortedIndex(keys) { old in
      old.flatMap { $0.changed.count <= 256 ? $0 : nil } ?? current(old)
    }
  }

  /// The rows sorted by their current values; nil until an index is built.
  var current: SortedIndex? { table.sortedIndex(keys) { current($0) } }

  private func current(_ old: SortedIndex?) -> SortedIndex? {
    guard let old else {
      return sorted.flatMap { $0.count == table.count ? SortedIndex(rows: $0) : nil }
    }
    let order = order
    return old.merged(old.changed.sorted(by: order.precedes), order.precedes)
  }

  /// All rows of the table, including deleted objects, sorted by a fetch.
  private var sorted: [UInt32]? {
    let trees = index.elements.map { element in
      var key = KeyComponent(element.key)
      key.resolution = graph.model.property(named: element.key, of: entity)
        .map { ResolvedKey(entity: entity, property: $0) }
      return SortTree(
        ExpressionTree(.keyPath(KeyPathTree([key]))), isAscending: element.isAscending)
    }
    let request = BoundRequest(
      snapshot: GraphSnapshot(graph), entity: entity, place: place, rows: nil,
      includesSubentities: true, predicate: nil, sort: trees, offset: 0, limit: nil,
      selection: nil, section: nil, shared: SharedEnvironment(environment, graph.model), meter: nil)
    let all = (0..<table.chunkCount).map {
      Bitmap(count: table.rows(inChunk: $0).count, filledWith: true)
    }
    if let rows = (try? request.quicklySorted(all, nil)) ?? nil { return rows.rows }
    return try? request.sorted((0..<table.count).map { UInt32(truncatingIfNeeded: $0) })
  }
}
