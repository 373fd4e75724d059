import KuraChecking
import KuraGraph
import KuraModel
import KuraPredicates
package import KuraValues

/// A column of a `select` and its values.
package struct ResultColumn: Sendable {
  package let name: String
  /// Whether its values are numbers, according to their type or the values.
  package let isNumeric: Bool
  private let source: Source

  enum Source: Sendable {
    case values([Value])
    /// Cells of a column, by their rows in the table
    case cells(Column, rows: [UInt32])
    case objects(ObjectRows)

    var values: [Value] {
      switch self {
      case .values(let values): values
      case .cells(let column, let rows): column.values(rows)
      case .objects(let objects): objects.values
      }
    }
  }

  init(_ column: CheckedColumn, _ source: Source) {
    (name, self.source) = (column.name, source)
    isNumeric =
      switch source {
      case .values(let values): column.type.isNumeric || values.areNumbers
      case .cells(let cells, _): column.type.isNumeric || cells.isNumeric
      case .objects: false
      }
  }

  init(_ column: CheckedColumn, _ values: [Value]) { self.init(column, .values(values)) }
}

/// Objects of a table; `noRow` is nil.
struct ObjectRows: Sendable {
  private let snapshot: GraphSnapshot
  private let table: Int
  private let rows: [UInt32]
  /// The table itself, because reading it from the snapshot for each object would copy it.
  private let source: Table

  init(snapshot: GraphSnapshot, table: Int, rows: [UInt32]) {
    (self.snapshot, self.table, self.rows) = (snapshot, table, rows)
    source = snapshot.graph.tables[table]
  }

  func value(_ place: Int) -> Value {
    guard rows[place] != noRow else { return .null }
    let row = Int(rows[place])
    let object = snapshot.object(table: table, row: row)
    return .object(ObjectReference(object, id: source.objectID(row)))
  }

  /// All objects. On several cores, they would compete for the snapshot's reference count.
  var values: [Value] { rows.indices.map(value) }
}

extension BoundRequest {
  /// Returns the objects that an expression has for some rows: `objectID`, `SELF`, `home`, `home.objectID`; nil for other
  /// expressions.
  func objects(of tree: ExpressionTree, _ rows: [UInt32]) -> ObjectRows? {
    if case .evaluatedObject = tree.kind {
      return ObjectRows(snapshot: snapshot, table: place.table, rows: rows)
    }
    guard given.isEmpty, case .keyPath(let path) = tree.kind,
      let key = path.onlyKey ?? path.linkKey(in: snapshot.graph)
    else { return nil }
    switch snapshot.graph.slot(key, of: place) {
    case nil where key.name == "objectID" && path.onlyKey != nil:
      return ObjectRows(snapshot: snapshot, table: place.table, rows: rows)
    case .toOne(let column, let destination)? where !snapshot.graph.mayDangle:
      let links = table.columns[column]
      return ObjectRows(
        snapshot: snapshot, table: destination,
        rows: rows.map { links.link(Int($0)).map { UInt32(truncatingIfNeeded: $0) } ?? noRow })
    default: return nil
    }
  }
}

extension ResultColumn {
  package func value(_ row: Int) -> Value {
    switch source {
    case .values(let values): values[row]
    case .cells(let column, let rows): column.value(Int(rows[row]))
    case .objects(let objects): objects.value(row)
    }
  }

  var values: [Value] { source.values }

  /// Calls the body with the UTF-8 of a text, without making a string; returns false if it is not available.
  package func withText(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard case .cells(let column, let rows) = source else { return false }
    return column.kind == .attribute(.string) && column.withText(Int(rows[row]), body)
  }

  package func piece(_ rows: Range<Int>) -> CellPiece {
    switch source {
    case .values(let values): CellPiece(.values(Array(values[rows])))
    case .cells(let column, let all):
      column.piece(all[rows]) ?? CellPiece(.values(rows.map(value)))
    case .objects: CellPiece(.values(rows.map(value)))
    }
  }

  /// Returns whether all its dates are midnights.
  package func hasShortDates(in zone: ZoneRules) -> Bool {
    switch source {
    case .cells(let column, let rows): column.areMidnights(rows, in: zone)
    case .objects: true
    case .values(let values):
      values.allSatisfy { if case .date(let date) = $0 { date.isMidnight(in: zone) } else { true } }
    }
  }
}

extension [Value] {
  /// Whether all values are numbers or null, with at least one number.
  fileprivate var areNumbers: Bool {
    var hasNumber = false
    for value in self {
      switch value {
      case .null: continue
      case .integer, .double, .decimal: hasNumber = true
      case .boolean, .string, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
        return false
      }
    }
    return hasNumber
  }
}
