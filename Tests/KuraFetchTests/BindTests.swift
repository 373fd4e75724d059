import KuraDiagnostics
import KuraValues
import Testing

@testable import KuraFetch

@Suite("Binding a request to the model")
struct BindTests {
  let world: World

  init() throws { world = try World(items: 40) }

  @Test(
    "refuses parts that do not fit, at their place",
    arguments: [
      ("titl == \"x\"", "Item has no key \"titl\"", "titl"),
      ("home.nam == \"x\"", "Category has no key \"nam\"", "nam"),
      ("rank > 3", "Item has no key \"rank\"", "rank"),
      ("title > 3", "\"title\" is of type string, but 3 is not a string", "3"),
      ("count == \"x\"", "\"count\" is of type integer, but \"x\" is not an integer", "\"x\""),
      (
        "tags.name BEGINSWITH \"t\"",
        "\"tags.name\" is a collection, but BEGINSWITH compares single values", "tags.name"
      ),
      ("ANY title == \"x\"", "\"title\" is one value, not a collection", "title"),
      ("day LIKE \"2001*\"", "LIKE requires a string, but this is of type date", "LIKE"),
      ("title == $whom", "$whom has no value", "$whom"),
      ("title.foo == 1", "a value of type string has no key \"foo\"", "foo"),
      ("SUBQUERY(tags, $t, $t.nme == \"x\").@count > 0", "Tag has no key \"nme\"", "nme"),
    ])
  func refuses(_ text: String, _ sentence: String, _ place: String) throws {
    let failure = try #require(world.failure("Item", text), "\(text) was taken")
    #expect(failure.sentence == sentence)
    #expect(failure.place == place)
  }

  @Test("a date that cannot be read is an error at the literal")
  func unreadableDate() throws {
    let failure = try #require(
      world.failure("Item", "day BETWEEN {\"2001-13-01\", \"2002-01-01\"}"))
    #expect(failure.place == "\"2001-13-01\"")
    #expect(failure.sentence.hasPrefix("\"2001-13-01\" is not a date"), "\(failure.sentence)")
  }

  @Test("an unknown entity suggests similar names")
  func unknownEntity() throws {
    let failure = try #require(throws: Diagnostic.self) { try world.request("Itm") }
    #expect(failure.facts.sentence == "there is no entity \"Itm\"")
    #expect(failure.facts.help == "did you mean \"Item\"?")
    #expect(failure.fixIt?.edits.first?.replacement == "Item")
  }

  @Test("variables are read like literals, as the type they are compared with")
  func variables() throws {
    let expected = try world.fetch("Item", where: "day > \"2001-01-01\"")
    #expect(try world.fetch("Item", where: "day > $day") == expected)
    #expect(
      try world.fetch("Item", where: "count IN $many")
        == world.fetch("Item", where: "count IN {1, 3, 5}"))
  }

  @Test("a reserved word that is spelled like a key is neither")
  func reservedWord() throws {
    var world = world
    world.environment.source = SourceText("NO == NO")
    let failure = try #require(world.failure("limit", "NO == NO"))
    #expect(failure.sentence == "\"NO\" is both a keyword and a key of limit")
    #expect(try world.fetch("limit", where: "#NO == nil") == [1])
  }

  @Test("an error in a row names its object")
  func rowError() throws {
    do {
      _ = try world.fetch("Item", where: "1 / (price - 2) == 1")
      Issue.record("a division by zero was not an error")
    } catch {
      #expect(
        try Regex("error: .*zero.*, in (Item|Task)/[0-9]+").firstMatch(in: "\(error)") != nil,
        "\(error)")
    }
  }

  @Test("a match that exceeds its limit names its object")
  func matchLimit() throws {
    do {
      _ = try world.fetch("Item", where: "title MATCHES \"(((.+)+)+)+(?=z)zzz\"")
      Issue.record("a match without end was not an error")
    } catch {
      #expect(
        try Regex("error: .*20 million steps.*, in (Item|Task)/[0-9]+").firstMatch(in: "\(error)")
          != nil, "\(error)")
    }
  }

  @Test("a condition before a match reduces its rows")
  func spared() throws {
    let never = "title MATCHES \"(((.+)+)+)+zzz\\\\b\""
    let none = try world.fetch("Item", where: "\(never) AND title == \"x\"")
    #expect(none.isEmpty)
  }
}
