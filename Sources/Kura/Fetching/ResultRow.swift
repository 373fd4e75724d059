import KuraFetch
import KuraPredicates
public import KuraValues

/// A row of a request that selects values or groups objects.
///
///     let request = try FetchRequest("Item").grouped(by: "done").select("done", "count(SELF) as n")
///     for row in try context.rows(request) { print(row["done"], row["n"]) }
public struct ResultRow: Sendable {
  /// The columns' names, in their order.
  public let columns: [String]
  /// The values, in the same order.
  public let values: [Value]

  /// The value of a column; nil if there is none of that name. Linear in the columns.
  public subscript(column: String) -> Value? {
    columns.firstIndex(of: column).map { values[$0] }
  }

  /// The row as a type of Swift, by the columns' names.
  ///
  /// Linear in the columns. Throws a `DecodingError` where the type wants what the row does not have.
  public func decode<Wanted: Decodable>(_ type: Wanted.Type = Wanted.self) throws -> Wanted {
    try ValueDecoder().decode(type, from: predicateValue)
  }
}

extension ResultRow: KeyReadable, Hashable {
  /// The value of a column; null if there is none of that name. Linear in the columns.
  public func value(forKey key: String) -> Value { self[key] ?? .null }

  /// A dictionary. Linear in the columns.
  public var predicateValue: Value { .dictionary(ValueDictionary(Array(zip(columns, values)))) }
}

extension FetchAnswer {
  /// The rows of values; each object is a row of one column, `objectID`.
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
