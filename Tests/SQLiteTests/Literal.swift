import KuraValues

/// A value that both sides can represent and write.
enum Literal: Hashable {
  case null
  case integer(Int64)
  case double(Double)
  case text(String)
  case boolean(Bool)
}

extension Literal {
  /// The form in a predicate: `"誕生"`, `nil`, `YES`
  var predicate: String {
    switch self {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .text(let text): "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    case .boolean(let flag): flag ? "YES" : "NO"
    }
  }

  /// The form in SQL: `'誕生'`, `NULL`, `1`
  var sql: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .boolean(let flag): flag ? "1" : "0"
    }
  }

  var value: Value {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .text(let text): .string(text)
    case .boolean(let flag): .boolean(flag)
    }
  }
}

extension Literal {
  /// Creates a cell of Kura's answer; SQLite has no Booleans.
  init(_ value: Value) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .text(text)
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .null, .decimal, .date, .uuid, .uri, .binary, .list, .set, .dictionary, .object:
      self = .null
    }
  }
}
