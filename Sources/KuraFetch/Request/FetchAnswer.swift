import KuraChecking
package import KuraGraph
package import KuraModel
import KuraPredicates
package import KuraValues

/// The result of a fetch: objects, or selected rows, possibly in sections.
package struct FetchAnswer: Sendable {
  package enum Rows: Sendable {
    /// `fetch Item`
    case objects(FetchResult)
    /// `fetch Item select title`
    case values(RowResult)
  }

  package let rows: Rows
  /// The object of each row; nil for groups and distinct rows.
  package let objects: FetchResult?
  /// `section by category`; nil without sections.
  package var sections: [ResultSection]?
  /// The number of rows without offset and limit; nil if counting requires a search.
  package var total: Int?

  package var count: Int {
    switch rows {
    case .objects(let objects): objects.count
    case .values(let values): values.count
    }
  }
}

/// Consecutive rows under a heading.
package struct ResultSection: Sendable, Equatable {
  package let heading: Value
  package let rows: Range<Int>
}

/// The rows of a `select`.
package struct RowResult: Sendable {
  package let columns: [ResultColumn]
  package let count: Int
  /// Whether it is a single row of aggregates of all objects, which can be used as a value.
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
  /// The table that contains them.
  package let table: Int
  package let rows: [UInt32]
  /// The number of objects that match, including those beyond a limit; nil if not all were searched.
  package var total: Int?

  package var count: Int { rows.count }

  package func object(_ i: Int) -> GraphObject {
    snapshot.object(table: table, row: Int(rows[i]))
  }

  package var ids: [ObjectID] {
    let table = snapshot.graph.tables[table]
    return rows.map { table.objectID(Int($0)) }
  }

  /// The objects as a list.
  package var value: Value {
    .list(ObjectRows(snapshot: snapshot, table: table, rows: rows).values)
  }
}

/// The objects of a fetch as a constant of another tree.
final class FetchedObjects: FoundObjects {
  let result: FetchResult
  private let list: LazyValue<Value>

  init(_ result: FetchResult) {
    self.result = result
    list = LazyValue { result.value }
  }

  var count: Int { result.count }
  var value: Value { list.value }
  /// Whether the objects have become values.
  var isRead: Bool { list.isKnown }

  func values(ofAttribute key: String) -> [Value]? {
    // The values of lists in JSON are read one by one.
    guard case .attribute(let column, let type)? = slot(key), type != .json else { return nil }
    return result.snapshot.graph.tables[result.table].columns[column].values(result.rows)
  }

  /// Returns the storage of a key; nil if the objects have several entities.
  private func slot(_ key: String) -> KeySlot? {
    let table = result.snapshot.graph.tables[result.table]
    let codes = table.entityCodes(of: result.rows)
    return codes.count == 1 ? table.layout.slots[codes[0]][key] : nil
  }

  func objects(at key: String) -> (any FoundObjects)? {
    let graph = result.snapshot.graph
    guard let slot = slot(key), let destination = graph.destination(slot),
      let entity = graph.tables[destination].layout.entities.first
    else { return nil }
    var rows: [UInt32] = []
    for row in result.rows {
      let linked = graph.rows(slot, result.table, Int(row))
      if linked.isEmpty, !slot.isToMany { return nil }
      rows += linked.map { UInt32(truncatingIfNeeded: $0) }
    }
    return FetchedObjects(
      FetchResult(snapshot: result.snapshot, entity: entity, table: destination, rows: rows))
  }

  func combined(_ operation: SetOperation, with other: any FoundObjects) -> (any FoundObjects)? {
    guard let others = (other as? FetchedObjects)?.result, result.table == others.table,
      result.snapshot === others.snapshot
    else { return nil }
    let count = result.snapshot.graph.tables[result.table].count
    var taken = Bitmap(count: count)
    if operation != .union { for row in others.rows { taken.insert(Int(row)) } }
    var rows: [UInt32] = []
    for row in operation == .union ? result.rows + others.rows : result.rows
    where taken.has(Int(row)) == (operation == .intersect) {
      taken[Int(row)] = operation != .intersect
      rows.append(row)
    }
    return FetchedObjects(
      FetchResult(
        snapshot: result.snapshot, entity: result.entity, table: result.table, rows: rows))
  }
}

/// The objects of the last fetch, as objectIDs, so that no state of the graph is retained.
package struct LastFetch: Sendable {
  package let entity: String
  let numbers: [Int64]
}

extension LastFetch {
  package init(_ result: FetchResult) {
    let identifiers = result.snapshot.graph.tables[result.table].identifiers
    self.init(entity: result.entity, numbers: result.rows.map { identifiers[Int($0)] })
  }

  /// Returns the objects with numbers from a minimum per root on.
  package func objects(in model: Model, from least: [String: Int64]) -> [ObjectID] {
    let root = model.root(of: entity)
    let first = least[root] ?? 1
    return numbers.lazy.filter { $0 >= first }
      .map { ObjectID(entity: entity, root: root, number: $0) }
  }

  /// Returns the objects with their current numbers.
  package func renumbered(_ renumbering: Renumbering, in model: Model) -> LastFetch {
    let root = model.root(of: entity)
    return LastFetch(
      entity: entity,
      numbers: numbers.map {
        renumbering(ObjectID(entity: entity, root: root, number: $0)).number
      })
  }

  /// Returns the rows of those that still exist, ascending.
  func rows(in graph: Graph) -> [UInt32] {
    guard let place = graph.place(of: entity) else { return [] }
    let table = graph.tables[place.table]
    let rows = numbers.compactMap { table.row(of: $0) }
    return rows.map { UInt32(truncatingIfNeeded: $0) }.sorted()
  }
}
