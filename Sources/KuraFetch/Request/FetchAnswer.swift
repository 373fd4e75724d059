import KuraChecking
import KuraModel
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

/// A column of a `select` and its values.
package struct ResultColumn: Sendable {
  package let name: String
  /// Whether its values are numbers, by their type or by what they are.
  package let isNumeric: Bool
  /// The value at a row, from 0.
  package let value: @Sendable (Int) -> Value

  init(_ name: String, isNumeric: Bool, value: @escaping @Sendable (Int) -> Value) {
    self.name = name
    self.isNumeric = isNumeric
    self.value = value
  }

  init(_ column: CheckedColumn, _ values: [Value]) {
    self.init(column.name, isNumeric: column.type.isNumeric || values.areNumbers) { values[$0] }
  }
}

extension FetchAnswer {
  /// The answer as a value: objects, the values of one column, or dictionaries of several.
  package var value: Value {
    switch rows {
    case .objects(let objects): objects.value
    case .values(let rows) where rows.isOneRow && rows.count == 1: rows.value(0)
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
