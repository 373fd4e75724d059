import Kura
import Testing

// A program's own types: a type with the name of a library's type hides that type.
private struct Value { var amount = 3 }
private struct Key { var code = 1 }
private struct Model { var year = 1999 }
private struct Entity { var name = "x" }
private struct Property { var rent = 10 }
private struct Store { var shelves = 2 }

@Suite("Names of a program")
struct OwnNameTests {
  @Test("hide those of the library, which are available with its module's name")
  func names() throws {
    #expect(Value().amount + Key().code + Store().shelves + Property().rent == 16)
    #expect(Model().year == 1999 && Entity().name == "x")
    let model = try Kura.Model { Kura.Entity("Item") { Kura.Attribute("title", .string) } }
    let context = try Kura.Store.inMemory(model).context
    let title: Kura.Value = try context.insert("Item", ["title": "掃除"])["title"]
    #expect(title == "掃除" && (Kura.Key("title") == "x").predicateFormat == "title == \"x\"")
  }
}
