import CSQLite

/// A connection to a SQLite database.
///
///     let database = try SQLiteConnection(.memory)
///     try database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT)")
///     try database.rows("INSERT INTO item (title) VALUES (?) RETURNING id", [.text("牛乳")])  // [[.integer(1)]]
///
/// Only one thread can use a connection at a time. It closes when the last reference to it and its
/// statements is released.
package final class SQLiteConnection {
  /// The location of the database, and how it is opened.
  package enum Location {
    case memory
    /// An existing file, opened read-only.
    case readOnly(path: String)
    case file(path: String)
    /// A file that is created if it does not exist.
    case created(path: String)
  }

  let handle: OpaquePointer

  /// Opens a database. A file that is not a database is reported by the first statement, not here.
  package init(_ location: Location) throws(SQLiteError) {
    let (path, flags) = location.opening
    // SQLite reads the path as a C string, which a NUL would end early at another file's name.
    guard !path.utf8.contains(0) else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "unable to open database file")
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteError(code: code, of: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_extended_result_codes(opened, 1)
  }

  deinit { sqlite3_close_v2(handle) }
}

extension SQLiteConnection.Location {
  fileprivate var opening: (path: String, flags: Int32) {
    switch self {
    case .memory: (":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    case .readOnly(let path): (path.asFile, SQLITE_OPEN_READONLY)
    case .file(let path): (path.asFile, SQLITE_OPEN_READWRITE)
    case .created(let path): (path.asFile, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }
  }
}

extension String {
  /// The path in a form that SQLite does not interpret specially, as it does an empty name, `:memory:` and `file:`.
  fileprivate var asFile: String { hasPrefix("/") ? self : "./" + self }
}

extension SQLiteConnection {
  package func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try SQLiteStatement(sql, on: self)
  }

  /// Runs one statement and returns its rows.
  @discardableResult
  package func rows(
    _ sql: String, _ values: [SQLiteValue] = []
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try statement(sql)
    try statement.bind(values)
    var rows: [[SQLiteValue]] = []
    while try statement.step() { rows.append(statement.row) }
    return rows
  }

  /// Runs statements that are separated by semicolons, without values and without their rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    guard !sql.utf8.contains(0) else {
      throw SQLiteError(code: SQLITE_ERROR, message: "the SQL contains a NUL character")
    }
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteError(code: code, of: handle) }
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  @discardableResult
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Some errors, such as a full disk, have already ended the transaction.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }
}
