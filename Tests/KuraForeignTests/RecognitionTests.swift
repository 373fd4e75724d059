import KuraForeign
import Testing

/// A text of a language that is recognized but not translated.
struct RecognizedText: CustomStringConvertible, Sendable {
  let language: ForeignLanguage
  let text: String

  var description: String { text }
}

@Suite("A language that is not translated is")
struct RecognitionTests {
  static let examples: [RecognizedText] = [
    (
      .spreadsheet,
      ["=COUNTIF(title, \"a\")", "=SUMIF(A1:A9, \">3\", B1:B9)", "COUNTIF(title; \"a\")"]
    ),
    (
      .graphQL,
      [
        "{ books(where: {year: {_gt: 1910}}) { title year } }", "query { items { title } }",
        "query Books { books(first: 3) { title } }",
      ]
    ),
    (
      .mongoDB,
      [
        "db.books.find({year: {$gte: 1900, $lt: 1910}}, {title: 1, _id: 0}).sort({year: -1}).limit(2)",
        "books.find({$or: [{year: {$lt: 1906}}, {title: /^a/}]}).count()",
        "db.books.find({tags: \"novel\"})", "books.find({year: {$gt: 1910}})",
        "db.books.find({'author.name': '夏目漱石'}).sort({year: -1})",
        "db.books.updateMany({year: 1905}, {$set: {pages: 9}, $inc: {year: 1}})",
        "db.books.aggregate([{$match: {year: {$gt: 1900}}}, {$group: {_id: \"$year\", n: {$sum: 1}}}])",
      ]
    ),
    (
      .dplyr,
      [
        "Book %>% filter(year > 1950) %>% arrange(desc(pages)) %>% select(title)",
        "books |> filter(year > 1950) |> count()", "library(dplyr)",
      ]
    ),
    (
      .jq,
      [
        "map(select(.year > 1910))", ".[] | select(.year > 1910) | .title", ".[0]", ".",
        "[.[] | select(.tags | index(\"novel\"))] | length", ".[] | select(.a)",
        ".books[] | select(.title | test(\"夜$\"))", "sort_by(.year) | reverse | .[0:2]",
        "map(select(.year > 1900 and .year < 1910 | not))", "sort_by(.a, .n)", ".[-2:]",
        "map({t: .title, n: .author.name})", "any(.[]; .pages == null)",
        "jq '.[0].title' books.json", ".[] | select(.year > 1910) | {title, y: .year}",
        ".[] | .tags[] | select(. == \"x\")", ".[] | select(.n|test(\"A$\";\"i\"))",
      ]
    ),
    (
      .ruby,
      [
        "Book.where(author: \"Ana Silva\").order(:year).pluck(:title)",
        "Item.where(done: false).count",
        "items.select { |i| i.done }", "items.map(&:title)", "Item.order(title: :desc).limit(3)",
        "Item.where(\"minutes > 3\")",
      ]
    ),
    (
      .linq,
      [
        "books.Where(b => b.Year > 1910).OrderByDescending(b => b.Year).Take(3).Select(b => b.Title)",
        "from b in books where b.Year > 1910 orderby b.Year descending select b.Title",
        "books.All(b => b.Year > 1900)", "books.Where(b => b.Title.StartsWith(\"吾\")).Count()",
        "context.Items.ToList()",
      ]
    ),
    (
      .kotlin,
      ["items.filter { it.done }.map { it.title }", "items.sortedBy { it.due }"]
    ),
    (
      .java,
      [
        "items.stream().filter(i -> i.isDone()).count()", "items.removeIf(i -> i.isDone())",
      ]
    ),
    (
      .php,
      ["Item::where('done', true)->get()", "$items->count()"]
    ),
    (
      .python,
      [
        "[b.title for b in books if b.year > 1910 and \"novel\" in b.tags]",
        "sorted(books, key=lambda b: b.year, reverse=True)[:3]",
        "max(books, key=lambda b: b.year)", "all(b.year > 1900 for b in books)",
        "sum(1 for b in books if b.pages is None)", "df[df.year > 1950]",
        "df[(df.year > 1900) & (df[\"year\"] < 1910)][[\"title\", \"year\"]]",
        "books.objects.filter(title__startswith=\"a\", year__gte=1900).order_by(\"-year\")[:3]",
        "df.groupby(\"author\")[\"pages\"].mean()", "df.loc[df.price.isna()]", "len(books)",
        "for b in books: print(b.title)", "Item.objects.exclude(done=True)",
        "{b.year for b in books}",
      ]
    ),
    (
      .javaScript,
      [
        "books.filter(b => b.title.length > 3 && b.title.includes(\"夜\")).map(b => b.title)",
        "books.sort((a, b) => b.year - a.year).slice(1, 3)", "x => x.a",
        "books.filter(function(b) { return [1905, 1906].includes(b.year); }).length",
        "t.filter(x => x.a / 2 > 3).map(x => x.n)", "t.flatMap(x => x.tags)",
        "_.sortBy(books, 'year')", "const n = books.length",
      ]
    ),
    (
      .shell,
      ["ls", "head -2 items", "wc -l Item", "grep 掃除 Item", "cat Item", "rm Item/1"]
    ),
  ].flatMap { (language: ForeignLanguage, texts: [String]) in
    texts.map { RecognizedText(language: language, text: $0) }
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

  @Test("one with examples")
  func all() {
    let languages = Set(Recognition.languages + [.shell])
    #expect(Set(Self.examples.map(\.language)) == languages)
  }

  @Test(
    "answered with the corresponding clauses",
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
      Row("fetch books | grep 夜", "write where … CONTAINS \"…\""),
      Row("fetch books > out.json", "write .once out.json on the line before"),
      Row(
        "fetch books | less",
        "write .once | less on the line before; .output redirects all results"),
    ])
  func ideas(row: Row) throws {
    let readings = ForeignTranslator(library).readings(of: Array(row.text.utf8), from: 0)
    #expect(readings.first?.idea == row.ours)
    #expect(!readings.contains { !$0.translations.isEmpty })
  }

  @Test(
    "translated for some commands after a pipe",
    arguments: [
      Row("fetch books | head -3", "fetch books limit 3"),
      Row("fetch books | head -n 3", "fetch books limit 3"),
      Row("fetch books | tail", "fetch books sort objectID desc limit 10"),
      Row("fetch books where year > 1910 | wc -l", "count books where year > 1910"),
    ])
  func pipes(row: Row) throws {
    let readings = ForeignTranslator(library).readings(of: Array(row.text.utf8), from: 0)
    #expect(readings.first?.translations == [row.ours])
  }

  @Test(
    "not found in translated languages or in Kura's own",
    arguments: [
      "SELECT title FROM Item WHERE done = 1", "items.filter { !$0.done }.map(\\.title)",
      "let found = try context.fetch(request)", "fetch Item where title == \"=> | jq db.\"",
      "for item in items where item.done { print(item.title) }", "show me all items",
      "NSPredicate(format: \"title CONTAINS %@\", \"x => y\")",
      "@Query(filter: #Predicate<Item> { $0.done }, sort: \\.due, order: .reverse) var items: [Item]",
      "open = 3", "count Item where estimate => 100 AND done", "count Item where (a => b) AND c",
    ])
  func others(text: String) {
    let readings = ForeignTranslator(lists).readings(of: Array(text.utf8), from: 0)
    #expect(readings.allSatisfy { $0.idea == nil })
  }
}
