import CSQLite

/// A prepared statement.
///
///     let statement = try database.statement("SELECT title FROM item WHERE id > ?")
///     try statement.bind([.integer(3)])
///     while try statement.step() { print(statement[0]) }
package final class SQLiteStatement {
  private let connection: SQLiteConnection
  private let handle: OpaquePointer

  init(_ sql: String, on connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    var prepared: OpaquePointer?
    var rest = ""
    var sql = sql
    let code = sql.withUTF8 { bytes in
      var tail: UnsafePointer<CChar>?
      return bytes.withMemoryRebound(to: CChar.self) { text in
        let code = sqlite3_prepare_v2(
          connection.handle, text.baseAddress, Int32(clamping: text.count), &prepared, &tail)
        if let tail, let start = text.baseAddress {
          rest = String(decoding: bytes[(tail - start)...], as: UTF8.self)
        }
        return code
      }
    }
    guard code == SQLITE_OK else { throw SQLiteError(code: code, of: connection.handle) }
    guard let prepared else {
      throw SQLiteError(code: SQLITE_ERROR, message: "the SQL contains no statement")
    }
    handle = prepared
    guard rest.allSatisfy(\.isWhitespace) else {
      throw SQLiteError(code: SQLITE_ERROR, message: "the SQL contains more than one statement")
    }
  }

  deinit { sqlite3_finalize(handle) }
}

extension SQLiteStatement {
  /// Resets the statement, and binds one value to each of its parameters `?`.
  package func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    sqlite3_reset(handle)
    let count = Int(sqlite3_bind_parameter_count(handle))
    guard values.count == count else {
      throw SQLiteError(
        code: SQLITE_RANGE, message: "the statement has \(count) parameters, not \(values.count)")
    }
    for (index, value) in values.enumerated() {
      let code = bind(value, at: Int32(index + 1))
      if code != SQLITE_OK { throw SQLiteError(code: code, of: connection.handle) }
    }
  }

  private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .real(let number): return sqlite3_bind_double(handle, index, number)
    case .blob(let bytes):
      return bytes.withUnsafeBytes {
        csqlite_bind_blob(handle, index, $0.baseAddress, Int64($0.count))
      }
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          csqlite_bind_text(handle, index, $0.baseAddress, Int64($0.count))
        }
      }
    }
  }

  /// Moves to the next row; returns false after the last one.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteError(code: code, of: connection.handle)
    }
  }

  package var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map { index in
      sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }
  }

  package var row: [SQLiteValue] { (0..<Int(sqlite3_data_count(handle))).map { self[$0] } }

  /// The value of a column of the row; null if there is no such column or no row.
  package subscript(column: Int) -> SQLiteValue {
    guard (0..<Int(sqlite3_data_count(handle))).contains(column) else { return .null }
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      return .text(
        String(decoding: bytes(sqlite3_column_text(handle, index), index), as: UTF8.self))
    case SQLITE_BLOB: return .blob(Array(bytes(sqlite3_column_blob(handle, index), index)))
    default: return .null
    }
  }

  /// Returns the bytes of a text or blob. SQLite knows the length only after the pointer was requested.
  private func bytes(_ start: UnsafeRawPointer?, _ index: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
  }
}
