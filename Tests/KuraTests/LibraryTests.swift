import Foundation
import Kura
import Testing

@Suite("The library under one import")
struct LibraryTests {
  @Test("parses, evaluates and prints a predicate")
  func predicate() throws {
    let birthdays = try PredicateTree(
      format: "title CONTAINS[cd] %@ AND priority >= %d", arguments: ["誕生", 3])
    #expect(try birthdays.evaluate(["title": "父の誕生日", "priority": 5]))
    #expect(try !birthdays.evaluate(["title": "父の誕生日", "priority": 2]))
    #expect(birthdays.predicateFormat == "title CONTAINS[cd] \"誕生\" AND priority >= 3")
  }

  @Test("reports the place of an error")
  func diagnostic() {
    #expect {
      try PredicateTree(parsing: "title CONTAIN 'x'")
    } throws: { error in
      (error as? Diagnostic)?.span == SourceSpan(6, 13)
    }
  }

  @Test("reads any object with keys")
  func readable() throws {
    struct Song: KeyReadable {
      let title: String
      func value(forKey key: String) -> Value { key == "title" ? .string(title) : .null }
    }
    let predicate = try PredicateTree(parsing: "title LIKE[c] '*moon*'")
    #expect(try predicate.evaluate(Song(title: "Blue Moon Rising")))
  }
}

@Suite("Predicates with other modules")
struct NameTests {
  @Test("use an environment with one import")
  func environment() throws {
    var environment = PredicateEnvironment.current
    environment.now = .init(timeIntervalSince1970: 0)
    #expect(try PredicateTree(parsing: "year(now()) < 1971").evaluate([:], in: environment))
  }
}
