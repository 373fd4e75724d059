import KuraFetch
import KuraPredicates
public import KuraValues

/// A row of a request that selects values or groups objects.
///
///     let request = try FetchRequest("Item").grouped(by: "done").select("done", "count(SELF) as n")
///     for row in try context.rows(request) { print(row["done"], row["n"]) }
public struct ResultRow: Sendable {
  /// The names of the columns, in order.
  public let columns: [String]
  /// The values, in the same order.
  public let values: [Value]

  /// The value of a column; nil if there is no such column. Linear in the columns.
  public subscript(column: String) -> Value? {
    columns.firstIndex(of: column).map { values[$0] }
  }

  /// Decodes the row as a Swift type, keyed by column name.
  ///
  /// Linear in the columns. Throws a `DecodingError` if the type requires a value that the row does
  /// not have.
  public func decode<Wanted: Decodable>(_ type: Wanted.Type = Wanted.self) throws -> Wanted {
    try ValueDecoder().decode(type, from: predicateValue)
  }
}

extension ResultRow: KeyReadable, Hashable {
  /// Returns the value of a column; null if there is no such column. Linear in the columns.
  public func value(forKey key: String) -> Value { self[key] ?? .null }

  /// The row as a dictionary. Linear in the columns.
  public var predicateValue: Value { .dictionary(ValueDictionary(Array(zip(columns, values)))) }
}

extension FetchAnswer {
  /// Returns the rows of values. An object becomes a row with the single column `objectID`.
  func resultRows() -> [ResultRow] {
    switch rows {
    case .objects(let objects):
      (0..<objects.count).map {
        ResultRow(columns: ["objectID"], values: [.object(.init(objects.object($0)))])
      }
    case .values(let rows):
      (0..<rows.count).map { row in
        ResultRow(columns: rows.columns.map(\.name), values: rows.columns.map { $0.value(row) })
      }
    }
  }
}
