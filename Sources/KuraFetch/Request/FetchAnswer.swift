import KuraChecking
package import KuraGraph
package import KuraModel
package import KuraValues

/// What a fetch found: its objects, or the rows that it selects, perhaps under headings.
package struct FetchAnswer: Sendable {
  package enum Rows: Sendable {
    /// `fetch Item`
    case objects(FetchResult)
    /// `fetch Item select title`
    case values(RowResult)
  }

  package let rows: Rows
  /// The objects of which the rows are, one for each; nil where groups or distinct rows hide them.
  package let objects: FetchResult?
  /// `section by category`; nil: no headings.
  package var sections: [ResultSection]?
  /// How many rows there are without offset and limit; nil where to know it would cost a search.
  package var total: Int?

  package var count: Int {
    switch rows {
    case .objects(let objects): objects.count
    case .values(let values): values.count
    }
  }
}

/// Some of the rows, one behind the other, under a heading.
package struct ResultSection: Sendable, Equatable {
  package let heading: Value
  package let rows: Range<Int>
}

/// The rows of a `select`.
package struct RowResult: Sendable {
  package let columns: [ResultColumn]
  package let count: Int
  /// Whether aggregates made it of all objects: one row, which is a value by itself.
  package var isOneRow = false
}

extension FetchAnswer {
  /// The answer as a value: objects, the values of one column, or dictionaries of several.
  package var value: Value {
    switch rows {
    case .objects(let objects): objects.value
    case .values(let rows) where rows.isOneRow && rows.count == 1: rows.value(0)
    case .values(let rows) where rows.columns.count == 1: .list(rows.columns[0].values)
    case .values(let rows): .list((0..<rows.count).map(rows.value))
    }
  }
}

extension RowResult {
  fileprivate func value(_ row: Int) -> Value {
    if columns.count == 1 { return columns[0].value(row) }
    return .dictionary(ValueDictionary(columns.map { ($0.name, $0.value(row)) }))
  }
}

/// The objects that a fetch found, in their order.
package struct FetchResult: Sendable {
  package let snapshot: GraphSnapshot
  package let entity: String
  /// The table of all of them.
  package let table: Int
  /// Their rows in it.
  package let rows: [UInt32]
  /// How many objects pass, those too that a limit leaves out; nil where nobody has looked at all.
  package var total: Int?

  package var count: Int { rows.count }

  package func object(_ i: Int) -> GraphObject {
    snapshot.object(table: table, row: Int(rows[i]))
  }

  /// The objects as a list.
  package var value: Value {
    .list(rows.indices.map { .object(ObjectReference(object($0))) })
  }
}

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
