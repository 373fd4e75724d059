import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues
import Testing

@testable import KuraChecking

@Suite("The candidates at a cursor")
struct CursorTests {
  private let context = CheckContext(
    lists, types: ["when": .date, "home": .object(entity: "Category"), "n": .literal],
    lastEntity: "Tag")

  /// Returns the candidates at `⌷` that begin with the word before it.
  private func candidates(_ text: String) -> (place: CursorPlace, found: [Candidate]) {
    let before = String(text.prefix { $0 != "⌷" })
    let place = CursorPlace(text, at: before.utf8.count)
    let found = context.candidates(for: place.expectations).filter {
      $0.text.lowercased().hasPrefix(place.prefix.lowercased())
    }
    return (place, found)
  }

  private func texts(_ text: String, _ kinds: Set<Candidate.Kind>) -> [String] {
    candidates(text).found.filter { kinds.contains($0.kind) }.map(\.text)
  }

  @Test("a half-typed fetch has its entity, the place of the cursor, and keys with their types")
  func half() throws {
    let (place, found) = candidates("fetch Item where ti⌷")
    #expect((place.prefix, place.start) == ("ti", 17))
    #expect(context.entity(at: place.expectations) == "Item")
    #expect(
      found == [
        Candidate(.key, "title", .attribute(.string)), Candidate(.function, "timeBetween(", .any),
      ])
  }

  @Test(
    "are the matching keys",
    arguments: [
      ("fetch Item where ⌷", "title rank price done due extra home tags objectID"),
      ("fetch Task where e⌷", "extra effort"),
      ("fetch Item where done == YES AND d⌷", "done due"),
      ("fetch Item where NOT (ra⌷", "rank"),
      ("fetch Item where home.⌷", "name items objectID"),
      ("fetch Item where home.items.home.n⌷", "name"),
      ("fetch Item where title.⌷", "length"),
      ("fetch Item where rank > ⌷", "rank price extra home tags"),
      ("fetch Item where title CONTAINS ⌷", "title extra home tags"),
      ("fetch Item where due BETWEEN {\"2001-01-01\", ⌷", "due extra home tags"),
      ("fetch Item where ANY ⌷", "extra home tags"),
      ("fetch Item where SUBQUERY(tags, $t, $t.⌷", "name items objectID"),
      ("fetch Item where SUBQUERY(tags, $t, $t.name == ti⌷", "title"),
      ("fetch Item where year(⌷", "due extra home tags"),
      ("fetch Item where dateByAdding(due, ra⌷", "rank"),
      ("fetch Item sort ti⌷", "title"), ("fetch Item sort title, du⌷", "due"),
      ("fetch Item select title, h⌷", "home"), ("fetch Item group by ho⌷", "home"),
      (
        "fetch Item group by home having count(⌷",
        "title rank price done due extra home tags objectID"
      ),
      ("fetch Item section by home.n⌷", "name"),
      ("fetch Item where rank IN (fetch Task where ef⌷", "effort"),
      ("fetch $home.items where ti⌷", "title"), ("fetch _ where n⌷", "name"),
      ("count Tag where n⌷", "name"), ("count Tag; exists Item where ti⌷", "title"),
      ("print $home.⌷", "name items objectID"),
      ("update Item set done = YES where ti⌷", "title"), ("delete Task where ef⌷", "effort"),
      ("fetch Item where title == \"x\" and\n  ran⌷", "rank"),
    ])
  func keys(_ text: String, _ expected: String) {
    #expect(texts(text, [.key]).joined(separator: " ") == expected)
  }

  @Test(
    "are the operators for the type of the left side",
    arguments: [
      (
        "fetch Item where title ⌷",
        "== != < <= > >= BETWEEN IN CONTAINS BEGINSWITH ENDSWITH LIKE MATCHES"
      ),
      ("fetch Item where rank ⌷", "== != < <= > >= BETWEEN IN"),
      ("fetch Item where done ⌷", "== !="), ("fetch Item where home ⌷", "== != IN"),
      ("fetch Item where tags ⌷", "CONTAINS == !="),
      ("fetch Item where ANY tags.name B⌷", "BETWEEN BEGINSWITH"),
      ("fetch Item where year(due) ⌷", "== != < <= > >= BETWEEN IN"),
      ("fetch Item where title == title ⌷", ""), ("fetch Item where abs(rank ⌷", ""),
      ("fetch Item where title C⌷", "CONTAINS"),
    ])
  func operators(_ text: String, _ expected: String) {
    #expect(texts(text, [.comparison]).joined(separator: " ") == expected)
  }

  @Test(
    "are values and variables of the expected type",
    arguments: [
      ("fetch Item where done == ⌷", "YES NO $n"),
      ("fetch Item where done == Y⌷", "YES"),
      ("fetch Item where due > ⌷", "\"1935-06-11\" $n $when"),
      ("fetch Item where rank > ⌷", "3 $n"),
      ("fetch Item where home == ⌷", "Category/1 $home $n"),
      ("fetch Item where tags CONTAINS ⌷", "Tag/1 $n"),
      ("fetch Item where due IN {⌷", "\"1935-06-11\" $n $when"),
      ("fetch Item where year($⌷", "$n $when"),
      ("fetch Item where SUBQUERY(tags, $t, $⌷", "$home $n $t $when"),
      ("fetch ⌷", "$home $n"),
    ])
  func values(_ text: String, _ expected: String) {
    #expect(texts(text, [.literal, .variable]).joined(separator: " ") == expected)
  }

  @Test(
    "are words, entities and functions",
    arguments: [
      ("fetch ⌷", "Item Task Category Tag _"), ("fetch T⌷", "Task Tag"),
      ("fetch Item where rank IN (count ⌷", "Item Task Category Tag _"),
      (
        "fetch Item where title == \"x\" ⌷",
        "AND OR sort offset limit batch select distinct group by having section by "
          + "without subentities"
      ),
      ("count Item where done == NO w⌷", "without subentities"),
      ("fetch Item s⌷", "sort select section by"),
      ("fetch Item sort title d⌷", "desc distinct"),
      ("fetch Item group ⌷", "by"), ("fetch Item select title a⌷", "as"),
      ("fetch Item where (title == \"x\" ⌷", "AND OR"),
      ("update ⌷", "Item Task Category Tag _"), ("update Item set done = YES ⌷", "where all"),
      ("fetch Item where due > to⌷", "today( tomorrow("), ("fetch Item where title == ye⌷", ""),
      ("fetch Item where rank == yea⌷", "year("), ("fetch Item where N⌷", "now( noindex( NOT NONE"),
    ])
  func others(_ text: String, _ expected: String) {
    #expect(texts(text, [.word, .entity, .function]).joined(separator: " ") == expected)
  }

  @Test("are empty if the text has an error before the cursor")
  func wrong() {
    for text in ["fetch Item where == ⌷", "fetch Nowhere where ⌷", "sing Item where ⌷", "⌷"] {
      #expect(candidates(text).found.filter { $0.kind == .key } == [], "\(text)")
    }
  }
}
