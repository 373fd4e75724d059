import KuraBytes
import KuraChecking
import KuraGraph
import KuraModel
package import KuraValues

/// A column of a `select` and its values.
package struct ResultColumn: Sendable {
  package let name: String
  /// Whether its values are numbers, by their type or by what they are.
  package let isNumeric: Bool
  private let source: Source

  private enum Source: Sendable {
    case values([Value])
    /// Cells of a column, by their rows in the table.
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
  /// The value at a row, from 0.
  package func value(_ row: Int) -> Value {
    switch source {
    case .values(let values): values[row]
    case .cells(let column, let rows): column.value(Int(rows[row]))
    }
  }

  /// The values of all rows.
  var values: [Value] {
    switch source {
    case .values(let values): values
    case .cells(let column, let rows): column.values(rows)
    }
  }

  /// Hands over the UTF-8 of a text, of which no string is made; false where there are no such bytes.
  package func withText(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard case .cells(let column, let rows) = source else { return false }
    return column.kind == .attribute(.string) && column.withText(Int(rows[row]), body)
  }

  /// The cells of some rows.
  package func piece(_ rows: Range<Int>) -> CellPiece {
    switch source {
    case .values(let values): CellPiece(.values(Array(values[rows])))
    case .cells(let column, let all):
      column.piece(all[rows]) ?? CellPiece(.values(rows.map(value)))
    }
  }

  /// Whether those of its values that are dates are midnights.
  package func hasShortDates(in zone: ZoneRules) -> Bool {
    switch source {
    case .cells(let column, let rows): column.areMidnights(rows, in: zone)
    case .values(let values):
      values.allSatisfy { if case .date(let date) = $0 { date.isMidnight(in: zone) } else { true } }
    }
  }
}

extension [Value] {
  /// Whether there are numbers and nothing else but null.
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
