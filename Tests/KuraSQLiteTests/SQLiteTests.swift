import Foundation
import TestSupport
import Testing

@testable import KuraSQLite

@Suite("SQLite")
struct ConnectionTests {
  private let database: SQLiteConnection

  init() throws {
    database = try SQLiteConnection(.memory)
    try database.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT UNIQUE NOT NULL)")
  }

  private func error(_ body: () throws -> Void) -> SQLiteError? {
    do { try body() } catch { return error as? SQLiteError }
    return nil
  }

  @Test(
    "returns the stored values",
    arguments: [
      .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .text(""),
      .text("誕生日"), .text("a\0b"), .text("👨‍👩‍👧"), .blob([]), .blob([0, 255, 0]), .blob([0]),
    ] as [SQLiteValue])
  func values(value: SQLiteValue) throws {
    #expect(try database.rows("SELECT ?", [value]) == [[value]])
    try database.execute("CREATE TABLE any (value)")
    try database.rows("INSERT INTO any VALUES (?)", [value])
    #expect(try database.rows("SELECT value, typeof(value) FROM any").first?.first == value)
  }

  @Test("stores NaN as NULL and bytes that are not UTF-8 as replacement characters")
  func exceptions() throws {
    #expect(try database.rows("SELECT ?", [.real(.nan)]) == [[.null]])
    #expect(try database.rows("SELECT CAST(x'61ff' AS TEXT)") == [[.text("a\u{FFFD}")]])
  }

  @Test("runs a prepared statement again with other values")
  func again() throws {
    let insertion = try database.statement("INSERT INTO item (title) VALUES (?)")
    for title in ["a", "b", "c"] {
      try insertion.bind([.text(title)])
      #expect(try !insertion.step())
    }
    #expect(database.changes == 1)
    let query = try database.statement("SELECT id, title FROM item WHERE id >= ? ORDER BY id")
    #expect(query.columnNames == ["id", "title"] && query.row == [] && query[0] == .null)
    for (least, count) in [(1, 3), (3, 1), (4, 0)] {
      try query.bind([.integer(Int64(least))])
      var rows: [[SQLiteValue]] = []
      while try query.step() { rows.append(query.row) }
      #expect(rows.count == count)
      #expect(query[2] == .null && query[-1] == .null)
    }
    #expect(try database.rows("UPDATE item SET title = title || 'x' RETURNING id").count == 3)
    #expect(database.changes == 3)
  }

  @Test("keeps the database open for a statement")
  func lifetime() throws {
    let statement = try SQLiteConnection(.memory).statement("SELECT 42")
    #expect(try statement.step() && statement[0] == .integer(42))
  }

  @Test(
    "refuses more or less than one statement",
    arguments: ["", "  -- nothing", "SELECT 1; SELECT 2", "SELEC 1", "SELECT nothing"])
  func statements(sql: String) throws {
    #expect(error { _ = try database.statement(sql) }?.primaryCode == 1)
  }

  @Test("accepts spaces and a semicolon after a statement")
  func semicolon() throws { #expect(try database.rows("SELECT 1 ;\n ") == [[.integer(1)]]) }

  @Test("refuses another number of values than the statement has parameters")
  func parameters() throws {
    for values in [[], [.null, .null]] as [[SQLiteValue]] {
      #expect(error { try database.rows("SELECT ?", values) }?.code == 25)
    }
  }

  @Test("reports errors in data with code and message")
  func constraints() throws {
    try database.rows("INSERT INTO item (title) VALUES ('a')")
    let unique = error { try database.rows("INSERT INTO item (title) VALUES ('a')") }
    #expect(unique?.code == 2067 && unique?.primaryCode == 19)
    #expect(unique?.description.contains("UNIQUE constraint failed: item.title") == true)
    let null = error { try database.execute("INSERT INTO item (title) VALUES (NULL)") }
    #expect(null?.code == 1299)
  }

  @Test("rolls back a transaction that fails, and commits one that succeeds")
  func transactions() throws {
    struct Stop: Error {}
    try database.transaction { try database.rows("INSERT INTO item (title) VALUES ('kept')") }
    #expect(throws: Stop.self) {
      try database.transaction {
        try database.rows("INSERT INTO item (title) VALUES ('dropped')")
        throw Stop()
      }
    }
    let failure = error {
      try database.transaction {
        _ = try database.rows("INSERT OR ROLLBACK INTO item (title) VALUES ('kept')")
      }
    }
    #expect(failure?.primaryCode == 19)
    #expect(try database.rows("SELECT title FROM item") == [[.text("kept")]])
  }

  @Test("opens files in the requested mode")
  func files() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a b.sqlite").path
    #expect(error { _ = try SQLiteConnection(.file(path: path)) }?.primaryCode == 14)
    #expect(error { _ = try SQLiteConnection(.readOnly(path: path)) }?.primaryCode == 14)
    #expect(error { _ = try SQLiteConnection(.created(path: "\(path)\0b")) }?.primaryCode == 14)
    try SQLiteConnection(.created(path: path)).execute(
      "CREATE TABLE a (b); INSERT INTO a VALUES (1)")
    let reader = try SQLiteConnection(.readOnly(path: path))
    #expect(try reader.rows("SELECT b FROM a") == [[.integer(1)]])
    #expect(error { try reader.execute("DELETE FROM a") }?.primaryCode == 8)
    try Data("no database, but sixteen bytes and more".utf8).write(to: URL(filePath: path))
    let broken = try SQLiteConnection(.file(path: path))
    #expect(error { try broken.rows("SELECT * FROM a") }?.primaryCode == 26)
  }
}
