import KuraDiagnostics
import KuraValues
import Testing

@testable import KuraFetch

@Suite("A comparison that could never hold")
struct MeaningTests {
  var world: World

  init() throws {
    world = try World(items: 40)
    world.environment.variables["item"] = .string("Category/1")
    world.environment.variables["three"] = .string("3")
    world.environment.variables["half"] = .string("0.50")
    world.environment.variables["yes"] = .string("yes")
    world.environment.variables["word"] = .string("soon")
    world.environment.variables["numbers"] = .list([.string("1"), .string("3")])
  }

  @Test(
    "is refused at its place, with help",
    arguments: [
      (
        "day > 1950-01-01", "\"day\" is of type date, but 1950-01-01 is arithmetic with numbers",
        "1950-01-01", "write a date in quotes: \"1950-01-01\""
      ),
      (
        "day BETWEEN {2000/1/1, \"2001-01-01\"}",
        "\"day\" is of type date, but 2000/1/1 is arithmetic with numbers", "2000/1/1",
        "write a date in quotes: \"2000-01-01\""
      ),
      (
        "day IN {2000-01-01}", "\"day\" is of type date, but 2000-01-01 is arithmetic with numbers",
        "2000-01-01", "write a date in quotes: \"2000-01-01\""
      ),
      (
        "2 * 3 < day", "\"day\" is of type date, but 2 * 3 is arithmetic with numbers", "2 * 3",
        "write a date in quotes: \"1935-06-11\""
      ),
      (
        "home == \"仕事\"", "\"home\" is an object of Category, but \"仕事\" is not",
        "\"仕事\"", "write Category/1, or compare one of its values: home.name == \"仕事\""
      ),
      (
        "home == \"Tag/1\"", "\"home\" is an object of Category, but \"Tag/1\" is not",
        "\"Tag/1\"", "write Category/1, or compare one of its values: home.name == \"Tag/1\""
      ),
      (
        "SELF == 3", "\"SELF\" is an object of Item, but 3 is not", "3",
        "write Item/1, or compare one of its values: count == 3"
      ),
      (
        "ANY tags == 3", "tags holds objects of Tag, but 3 is not one", "3", "write Tag/1"
      ),
      (
        "home == Tag/2", "\"home\" is an object of Category, but Tag/2 is not", "Tag/2",
        "write Category/1"
      ),
      (
        "objectID == \"x\"", "\"objectID\" is an object of Item, but \"x\" is not",
        "\"x\"", "write Item/1"
      ),
      (
        "done == 2", "\"done\" is of type boolean, but 2 is not a boolean", "2", "write YES or NO"
      ),
      (
        "count > $word", "$word is \"soon\", which is not a number", "$word",
        "give it a number, such as 3 or 2.5"
      ),
      (
        "year(day) == \"1970\"", "year(day) is a number, but \"1970\" is a string",
        "\"1970\"", "write it without quotes: 1970"
      ),
      (
        "count == max(count)", "max requires a list, but \"count\" has one value per object",
        "max(count)", "for all objects, write (fetch Item select max(count))"
      ),
      (
        "count == MAX(count) - 1",
        "max requires a list, but \"count\" has one value per object", "MAX(count)",
        "for all objects, write (fetch Item select max(count))"
      ),
      ("home == Category/99.name", "there is no Category/99", "Category/99", nil),
    ] as [(String, String, String, String?)])
  func refused(_ text: String, _ sentence: String, _ place: String, _ help: String?) throws {
    var world = world
    world.environment.source = SourceText(text)
    do throws(any Error) {
      _ = try world.request("Item", where: text)
      Issue.record("\(text) was taken")
    } catch let error as Diagnostic {
      #expect(error.facts.sentence == sentence)
      #expect(error.span.map { SourceText(text).text($0) } == place)
      #expect(error.facts.help == help)
    }
  }

  @Test(
    "is accepted if a text can be read as the type of the other side",
    arguments: [
      ("home == $item", "home == Category/1"), ("home == \"Category/1\"", "home == Category/1"),
      ("home IN {\"Category/1\", \"Category/2\"}", "home IN {Category/1, Category/2}"),
      ("ANY tags == \"Tag/1\"", "ANY tags == Tag/1"),
      ("tags CONTAINS \"Tag/1\"", "tags CONTAINS Tag/1"),
      ("objectID == \"Item/3\"", "objectID == 3"), ("SELF == \"Item/3\"", "objectID == 3"),
      ("\"Base/3\" == SELF", "objectID == 3"), ("count > $three", "count > 3"),
      ("count IN {$three, 1}", "count IN {3, 1}"), ("price == $half", "price == 0.5"),
      ("exact == $half", "exact == 0.5"), ("month(day) == $three", "month(day) == 3"),
      ("tags.@count == $three", "tags.@count == 3"), ("done == $yes", "done == YES"),
      ("count BETWEEN {$three, 9}", "count BETWEEN {3, 9}"), ("home == nil", "home == NULL"),
      ("max(tags.name) == \"tag3\"", "tags.@max.name == \"tag3\""),
      ("done == 1", "done == YES"), ("count > 2000-1-1990", "count > 9"),
    ])
  func taken(_ text: String, _ other: String) throws {
    #expect(try world.fetch("Item", where: text) == world.fetch("Item", where: other))
  }
}
