import KuraBytes
import KuraChecking
import KuraGraph
import KuraModel
package import KuraValues

/// A column of a `select` and its values.
package struct ResultColumn: Sendable {
  package let name: String
  /// Whether its values are numbers, according to their type or the values.
  package let isNumeric: Bool
  private let source: Source

  private enum Source: Sendable {
    case values([Value])
    /// Cells of a column, by their rows in the table
    case cells(Column, rows: [UInt32])
  }

  init(_ column: CheckedColumn, _ values: [Value]) {
    name = column.name
    isNumeric = column.type.isNumeric || values.areNumbers
    source = .values(values)
  }

  init(_ column: CheckedColumn, _ cells: Column, rows: [UInt32]) {
    name = column.name
    isNumeric = column.type.isNumeric || cells.isNumeric
    source = .cells(cells, rows: rows)
  }
}

extension ResultColumn {
  package func value(_ row: Int) -> Value {
    switch source {
    case .values(let values): values[row]
    case .cells(let column, let rows): column.value(Int(rows[row]))
    }
  }

  var values: [Value] {
    switch source {
    case .values(let values): values
    case .cells(let column, let rows): column.values(rows)
    }
  }

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
    }
  }

  /// Returns whether all its dates are midnights.
  package func hasShortDates(in zone: ZoneRules) -> Bool {
    switch source {
    case .cells(let column, let rows): column.areMidnights(rows, in: zone)
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
