import Foundation
import KuraDiagnostics
import Testing

@testable import KuraShell

/// The fix for a text of another language, run and compared with the intended statement.
@Suite("A statement of another language")
struct ForeignTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Returns a session with a store of the examples.
  private func session(_ store: String) throws -> Session {
    var launch = Launch()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    launch.store = .file(root.path + "/Examples/\(store)")
    return try Session(launch, folder.services)
  }

  /// Returns the output of a text in a session of its own, and then all data.
  private func answer(_ text: String, _ store: String) throws -> String {
    let session = try session(store)
    let before = folder.output
    session.run(text)
    session.run("changes")
    return String(folder.output.dropFirst(before.count))
  }

  private func fixes(_ text: String, _ store: String) throws -> [String] {
    let session = try session(store)
    let problem = Diagnostic(UnexpectedProblem(sentence: "?"), at: SourceSpan(0, 1))
    let found = session.foreignExplanation(of: problem, in: SourceText(text), from: 0)
    return found?.diagnostic.fixIts.map { $0.applied(to: text) } ?? []
  }

  struct Row: CustomStringConvertible, Sendable {
    let store: String
    let text: String
    let meant: String

    init(_ store: String, _ text: String, _ meant: String) {
      (self.store, self.text, self.meant) = (store + ".json", text, meant)
    }

    var description: String { text }
  }

  static let lists = "Todoey/Todoey"
  static let tasks = "Dotodo/Dotodo"
  static let dates = "MemoDates/MemoDates"
  static let books = "PlainJSON/books"

  @Test(
    "is translated to one with the intended result",
    arguments: [
      Row(lists, "SELECT * FROM Item WHERE done = 1", "fetch Item where done == YES"),
      Row(
        lists,
        "SELECT i.title\nFROM Item i\nJOIN Category c ON i.parentCategory = c.objectID\nWHERE c.name = '家'\n  AND NOT i.done;",
        "fetch Item where parentCategory.name == \"家\" AND done == NO select title"),
      Row(
        lists,
        "SELECT c.name, COUNT(i.id) AS n FROM Category c LEFT JOIN Item i ON i.parentCategory = c.id GROUP BY c.id",
        "fetch Category select name, items.@count as n"),
      Row(
        lists,
        "SELECT name FROM Category WHERE id IN (SELECT parentCategory FROM Item WHERE title LIKE '%掃除')",
        "fetch Category where ANY items.title ENDSWITH \"掃除\" select name"),
      Row(
        lists,
        "INSERT INTO Category (name) VALUES ('旅行'); INSERT INTO Item (title, parentCategory) VALUES ('荷造り', 1);",
        "insert Category name = \"旅行\"; insert Item title = \"荷造り\", parentCategory = Category/1"),
      Row(
        lists, "BEGIN; DELETE FROM Item WHERE done = 1; ROLLBACK; SELECT COUNT(*) FROM Item;",
        "begin; delete Item where done == YES; cancel; count Item"),
      Row(
        lists, "UPDATE Item SET title = title || '！' WHERE id = 1",
        "update Item/1 set title = \"部屋の掃除！\""),
      Row(
        dates,
        "SELECT strftime('%m', date) AS m, COUNT(*) FROM MemoDate GROUP BY m ORDER BY 2 DESC, m",
        "fetch MemoDate sort count(SELF) desc, m select format(date, \"MM\") as m, count(SELF) group by m"
      ),
      Row(
        dates, "NSPredicate(format: \"title CONTAINS[cd] %@\", \"誕生\")",
        "fetch MemoDate where title CONTAINS[cd] \"誕生\""),
      Row(
        dates, "fetch MemoDate where date < NOW() - INTERVAL 50 YEAR",
        "fetch MemoDate where date < dateByAdding(now(), -50, \"year\")"),
      Row(
        lists, "items.filter { $0.parentCategory?.name == \"家\" && !$0.done }.map(\\.title)",
        "fetch Item where parentCategory.name == \"家\" AND done == NO select title"),
      Row(
        lists, "let item = Item(title: \"荷造り\", done: true)",
        "let $item = insert Item title = \"荷造り\", done = YES"),
      Row(
        tasks, "tasks.filter { $0.tags.contains { $0.name == \"仕事\" } }.count",
        "count Task where ANY tags.name == \"仕事\""),
      Row(
        tasks, "fetch Task where !tags.isEmpty && dueDate < Date()",
        "fetch Task where tags.@count > 0 AND dueDate < now()"),
      Row(books, "show me all the books", "fetch books"),
    ])
  func isOffered(row: Row) throws {
    let first = try #require(try fixes(row.text, row.store).first)
    #expect(try answer(first, row.store) == answer(row.meant, row.store), "\(first)")
  }

  @Test(
    "is named and not translated, unless it is SQL, Swift or Objective-C",
    arguments: [
      (".[] | select(.year > 1910) | {title, y: .year}", "this is jq"),
      ("[b.title for b in books if 'novel' in b.tags]", "this is Python"),
      ("db.books.find({'author.name': '夏目漱石'}).sort({year: -1})", "this is MongoDB"),
      ("books.Where(b => b.Title.StartsWith(\"吾\")).Count()", "this is C# with LINQ"),
      ("fetch books | uniq -c", "this is a shell command"),
      ("=VLOOKUP(\"x\", books, 2)", "this is a spreadsheet formula"),
      ("{ books { title } }", "this is GraphQL"), ("books.map(&:title)", "this is Ruby"),
    ])
  func isNamed(text: String, sentence: String) throws {
    #expect(try fixes(text, Self.books + ".json").isEmpty)
    let session = try session(Self.books + ".json")
    let before = folder.output
    session.run(text)
    let output = folder.output.dropFirst(before.count)
    #expect(output.contains("error: \(sentence)\n") && !output.contains("fix:"))
  }

  @Test(
    "is not translated if that would not fit the model",
    arguments: [
      "SELECT * FROM Nothing", "SELECT colour FROM Item", "items.filter { $0.colour == 1 }",
      "SELECT title FROM Item UNION SELECT name FROM Category", "SELECT * FROM Item WHERE",
    ])
  func isNotOffered(text: String) throws {
    #expect(try fixes(text, Self.lists + ".json").isEmpty)
  }

  @Test(
    "is not assumed if a statement of Kura only failed to run",
    arguments: [
      "print 1 / 0", "fetch Item select title where sqrt(-1) == 1", "delete Item/99",
    ])
  func isNotMeant(text: String) throws {
    let session = try session(Self.lists + ".json")
    let before = folder.output
    session.run(text)
    let output = folder.output.dropFirst(before.count)
    #expect(output.contains("error: ") && !output.contains("fix:"))
  }
}
