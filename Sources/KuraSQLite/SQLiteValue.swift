import CSQLite

/// A value as SQLite stores it.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  /// A floating-point number; SQLite stores NaN as NULL.
  case real(Double)
  case text(String)
  case blob([UInt8])
}

package struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// SQLite's extended result code, for example 2067 for a value that is not unique.
  package let code: Int32
  package let message: String

  package var description: String { "\(message) (SQLite error \(code))" }

  /// The code without its extension, for example 19 for every violated constraint.
  package var primaryCode: Int32 { code & 0xFF }

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  init(code: Int32, of connection: OpaquePointer?) {
    let text = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    self.init(code: code, message: text.map { String(cString: $0) } ?? "unknown error")
  }
}
