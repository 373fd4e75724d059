import KuraForeign
import Testing

/// A text of a language that is named and not translated.
struct RecognizedText: CustomStringConvertible, Sendable {
  let language: ForeignLanguage
  let text: String

  var description: String { text }
}

@Suite("A language that is not translated is")
struct RecognitionTests {
  static let examples = RecognizedLanguage.all.flatMap { found in
    found.examples.map { RecognizedText(language: found.language, text: $0) }
  }

  @Test("recognized by the shape of its texts", arguments: examples)
  func shapes(example: RecognizedText) throws {
    for model in [lists, library] {
      let readings = ForeignTranslator(model).readings(of: Array(example.text.utf8), from: 0)
      let reading = try #require(readings.first)
      #expect(readings.count == 1)
      #expect(reading.language == example.language)
      #expect(reading.translations.isEmpty)
      #expect(reading.idea?.isEmpty == false)
    }
  }

  @Test(
    "answered with the clauses that ask the same",
    arguments: [
      Row("map(select(.year > 1910))", "write fetch books where …; see From jq"),
      Row(
        "sort_by(.year) | reverse | .[0:2] | map(.title)",
        "write fetch books sort … select …; see From jq"),
      Row("jq 'map(.title)' books.json", "write fetch books; see From jq"),
      Row(
        "books.Where(b => b.Year > 1910).OrderBy(b => b.Year).Take(3).Select(b => b.Title)",
        "write fetch books where … sort … limit … select …"),
      Row("fetch books where year in range(3, 9)", "write BETWEEN {1, 9}"),
      Row("fetch books where [b.year for b in books]", "write fetch books where …"),
      Row("len(books)", "write count books"), Row("ls", "write model"),
      Row("head -2 books", "write fetch books limit 10"),
      Row(
        "db.books.updateMany({year: 1905}, {$set: {pages: 9}})", "write update books set … where …"),
      Row("fetch books | head -3", "write limit 10"),
      Row("fetch books where year > 1910 | wc -l", "write count books where …"),
      Row("fetch books > out.json", "write .once out.json in the line before"),
      Row(
        "fetch books | less",
        "write .once | less in the line before; .output sends all answers"),
    ])
  func ideas(row: Row) throws {
    let readings = ForeignTranslator(library).readings(of: Array(row.text.utf8), from: 0)
    #expect(readings.first?.idea == row.ours)
    #expect(!readings.contains { !$0.translations.isEmpty })
  }

  @Test(
    "not seen in what is translated, or is Kura's own",
    arguments: [
      "SELECT title FROM Item WHERE done = 1", "items.filter { !$0.done }.map(\\.title)",
      "let found = try context.fetch(request)", "fetch Item where title == \"=> | jq db.\"",
      "for item in items where item.done { print(item.title) }", "show me all items",
      "NSPredicate(format: \"title CONTAINS %@\", \"x => y\")",
      "@Query(filter: #Predicate<Item> { $0.done }, sort: \\.due, order: .reverse) var items: [Item]",
      "open = 3",
    ])
  func others(text: String) {
    let readings = ForeignTranslator(lists).readings(of: Array(text.utf8), from: 0)
    #expect(readings.allSatisfy { $0.idea == nil })
  }
}
