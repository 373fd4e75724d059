import Foundation
import TestSupport
import Testing

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// The Swift code that `show` writes, compiled unchanged and run on the objects of an example.
///
/// Types that exist only on Apple's platforms are replaced here: a descriptor and a context.
@Suite("What show writes in Swift")
struct ShownSwiftTests {
  private static let questions = [
    "completed == NO", "title CONTAINS \"会\" OR title BEGINSWITH \"切\"",
    "NOT (title BEGINSWITH \"\" OR ANY tags.name BEGINSWITH \"\")",
    "dueDate < \"2026-02-01\"", "NOT dueDate < \"2026-02-01\"", "dueDate == nil OR priority >= 2",
    "priority IN {1, 3} AND NOT completed == YES", "priority BETWEEN {1, 2}",
    "dueDate BETWEEN {\"2025-12-01\", \"2026-01-31\"}", "ANY tags.name == \"家族\"",
    "NONE tags.name == \"家族\" AND tags.@count > 0", "ALL tags.name == \"家族\"",
    "SUBQUERY(tags, $t, $t.name == \"家族\" AND $t.tasks.@count > 1).@count > 0",
    "priority * 2 + 1 > 4", "title == \"\\\"x\\\" \\\\ 100%\" OR TRUEPREDICATE",
    "completed == NO AND (priority > 1 OR title CONTAINS \"会\") AND NOT dueDate < \"2026-02-01\""
      + " AND ANY tags.name == \"家族\" AND priority != 0",
  ]

  @Test("compiles, and finds what the fetch finds")
  func compiles() throws {
    let runner = try TranscriptRunner()
    let program = try Self.preface + Self.questions.map { try question($0, runner) }.joined()
    #expect(try SwiftPrograms([program]).output(of: 0) == "")
  }

  @Test("compiles across a to-one relationship, and finds what the fetch finds")
  func acrossLinks() throws {
    let runner = try TranscriptRunner()
    let questions = [
      "author.born < 1800", "author.born BETWEEN {1790, 1820}", "author.born IN {1775, 1866}",
      "1800 > author.born", "author.name CONTAINS \"an\"", "author.name == \"Jane Austen\"",
      "year < 1850 AND author != nil", "author == nil OR pages > 400",
      "NOT author.born < 1800 AND author.name BEGINSWITH \"H\"",
      "author.books.@count > 1", "author.books.@count IN {1, 3}",
      "ANY author.books.pages > 500 OR author.books.@count == 1",
      "SUBQUERY(author.books, $b, $b.pages > 200).@count >= 2",
      "SUBQUERY(author.books, $b, $b.pages > 200).@count < 2",
    ]
    let shown = try questions.flatMap { predicate in
      let count = "count Book where \(predicate)"
      let found = try answer(runner, count, in: Self.books)
      return try ["kura", "predicate"].map {
        part(predicate, try answer(runner, "show \(count) as \($0)", in: Self.books), found: found)
      }
    }
    let program = Self.preface.components(separatedBy: "let tasks = [")[0] + Self.shelf
    let said = try SwiftPrograms([program + shown.joined()]).output(of: 0)
    #expect(said == "")
  }

  /// As many as `KURA_SHOWN` says, from the seed `KURA_SEED`.
  @Test("of generated fetches compiles, and finds what they find")
  func generated() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["KURA_SEED"].flatMap { UInt64($0) } ?? 11
    let count = environment["KURA_SHOWN"].flatMap { Int($0) } ?? 12
    var fetches = ShownFetches(seed: seed)
    let predicates = (0..<count).map { _ in fetches.predicate() }
    let program = try Self.preface + parts(of: predicates).joined()
    let said = try SwiftPrograms([program]).output(of: 0)
    #expect(said == "", "seed \(seed)")
  }

  /// Returns the parts of the program for many predicates, in one run; languages without a
  /// counterpart are skipped.
  private func parts(of predicates: [String]) throws -> [String] {
    let statements = predicates.flatMap { predicate in
      ["", "show ", "show "].enumerated().map { place, word in
        "\(word)count Task where \(predicate)\(["", " as kura", " as predicate"][place])"
      }
    }
    let said = try answer(TranscriptRunner(), statements.joined(separator: "\nprint \"----\"\n"))
    let answers = said.components(separatedBy: "----\n")
    try #require(answers.count == statements.count, "\(said)")
    return predicates.indices.flatMap { place in
      answers[(3 * place + 1)...(3 * place + 2)].filter { !$0.contains("error: ") }.map {
        part(predicates[place], $0, found: answers[3 * place].trimmed)
      }
    }
  }

  /// Returns the code with replacements for what Foundation's macro supports only on Apple's
  /// platforms, and whether it has the same meaning: a search without case and accents can only be
  /// compiled here.
  private static func portable(_ shown: String) -> (code: String, isSame: Bool) {
    #if canImport(Darwin)
      return (shown, true)
    #else
      let isSame = !shown.contains("localizedStandardContains(")
      let plain = shown.replacing("localizedStandardContains(", with: "contains(")
      let joined = plain.replacing(/#Predicate(<[^>]*> \{[^\n]*\n[^\n]*\.evaluate\([^\n]*\n\})/) {
        "JoinedPredicate" + $0.1.replacing(".evaluate(", with: ".holds(")
      }
      return (joined, isSame)
    #endif
  }

  private func part(_ predicate: String, _ shown: String, found: String) -> String {
    let (code, isSame) = Self.portable(shown)
    let lines = code.split(separator: "\n").filter { !$0.hasPrefix("import ") }
    let quoted = predicate.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return """
      do {
      \(lines.joined(separator: "\n"))
      if \(isSame), count != \(found) { print("\(quoted): \\(count), not \(found)") }
      }

      """
  }

  /// Returns the parts of the program for one predicate, each of which prints what is wrong.
  private func question(_ predicate: String, _ runner: TranscriptRunner) throws -> String {
    let found = try answer(runner, "count Task where \(predicate)")
    let library = try answer(runner, "show count Task where \(predicate) as kura")
    let macro = try answer(runner, "show count Task where \(predicate) as predicate")
    return [library, macro].map { part(predicate, $0, found: found) }.joined()
  }

  /// Returns the program's answer to a statement on the example.
  private func answer(
    _ runner: TranscriptRunner, _ statement: String, in store: String = tasks
  ) throws -> String {
    try runner.output(ofScript: [statement], store: store).joined(separator: "\n")
  }

  private static let tasks = "Examples/Dotodo/Dotodo.json"
  private static let books = "Examples/Bookshelf/Bookshelf.json"

  /// The types and objects of the example, as in a program.
  private static let preface = #"""
    import Foundation
    import Kura
    final class Task: KeyTableReadable, @unchecked Sendable {
      let title: String
      let completed: Bool
      let priority: Int
      let dueDate: Date?
      var tags: [Tag] = []
      init(_ title: String, _ completed: Bool, _ priority: Int, _ dueDate: String?) {
        (self.title, self.completed, self.priority) = (title, completed, priority)
        self.dueDate = dueDate.map { try! Date("\($0)T00:00:00+09:00", strategy: .iso8601) }
      }
      static let readableKeys: KeyTable<Task> = [
        "title": \.title, "completed": \.completed, "priority": \.priority, "dueDate": \.dueDate, "tags": \.tags,
      ]
    }
    final class Tag: KeyTableReadable, @unchecked Sendable {
      let name: String
      var tasks: [Task] = []
      init(_ name: String, _ tasks: [Task]) {
        (self.name, self.tasks) = (name, tasks)
        for task in tasks { task.tags.append(self) }
      }
      static let readableKeys: KeyTable<Tag> = ["name": \.name, "tasks": \.tasks]
    }
    let tasks = [
      Task("確定申告", false, 3, "2026-03-16"), Task("歯医者の予約", false, 1, nil),
      Task("誕生日の贈り物", false, 2, "2026-01-13"), Task("会議の資料", true, 2, "2025-12-19"),
      Task("切手を買う", false, 0, nil), Task("大掃除", false, 1, "2025-12-28"),
    ]
    let tags = [
      Tag("家族", [tasks[1], tasks[2]]), Tag("仕事", [tasks[0], tasks[3]]), Tag("急ぎ", [tasks[0]]),
      Tag("買い物", [tasks[2], tasks[4]]),
    ]


    """# + machinery("Task", "tasks")

  private static let shelf = #"""
    final class Author: KeyTableReadable, Equatable, @unchecked Sendable {
      let name: String
      let born: Int
      var books: [Book] = []
      init(_ name: String, _ born: Int) { (self.name, self.born) = (name, born) }
      static func == (a: Author, b: Author) -> Bool { a === b }
      static let readableKeys: KeyTable<Author> = [
        "name": \.name, "born": \.born, "books": \.books,
      ]
    }
    final class Book: KeyTableReadable, @unchecked Sendable {
      let title: String
      let year: Int?
      let pages: Int
      let author: Author?
      init(_ title: String, _ year: Int?, _ pages: Int, _ author: Author?) {
        (self.title, self.year, self.pages, self.author) = (title, year, pages, author)
        author?.books.append(self)
      }
      static let readableKeys: KeyTable<Book> = [
        "title": \.title, "year": \.year, "pages": \.pages, "author": \.author,
      ]
    }
    let authors = [
      Author("Jane Austen", 1775), Author("Mary Shelley", 1797), Author("Charlotte Brontë", 1816),
      Author("Jules Verne", 1828), Author("H. G. Wells", 1866),
    ]
    let books = [
      Book("Emma", 1815, 474, authors[0]), Book("Persuasion", 1817, 249, authors[0]),
      Book("Frankenstein", 1818, 280, authors[1]), Book("The Last Man", 1826, 479, authors[1]),
      Book("Jane Eyre", 1847, 532, authors[2]), Book("The Mysterious Island", 1875, 493, authors[3]),
      Book("The Time Machine", 1895, 118, authors[4]),
      Book("The War of the Worlds", 1898, 192, authors[4]), Book("Beowulf", nil, 213, nil),
    ]


    """# + machinery("Book", "books")

  private static func machinery(_ entity: String, _ objects: String) -> String {
    #"""
    struct FetchDescriptor<Model> {
      let test: (Model) throws -> Bool
      init(predicate: Predicate<Model>) { test = { try predicate.evaluate($0) } }
      init(predicate: JoinedPredicate<Model>) { test = predicate.test }
    }
    struct JoinedPredicate<each Input> {
      let test: (repeat each Input) -> Bool
      init(_ test: @escaping (repeat each Input) -> Bool) { self.test = test }
      func holds(_ input: repeat each Input) -> Bool { test(repeat each input) }
    }
    extension Predicate {
      func holds(_ input: repeat each Input) -> Bool { try! evaluate(repeat each input) }
    }
    struct ModelContext {
      func fetchCount(_ descriptor: FetchDescriptor<\#(entity)>) throws -> Int {
        try \#(objects).filter(descriptor.test).count
      }
    }
    let context = ModelContext()

    """#
  }
}
