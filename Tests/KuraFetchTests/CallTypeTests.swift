import KuraDiagnostics
import Testing

@testable import KuraFetch

@Suite("The result of a call")
struct CallTypeTests {
  let world: World

  init() throws { world = try World(items: 40) }

  @Test(
    "determines how a compared text is read",
    arguments: [
      "CAST(86400, \"NSDate\") < \"2002-01-01\"",
      "CAST(0, \"NSDate\") == \"2001-01-01T00:00:00Z\"",
      "noindex(CAST(0, \"NSDate\")) BETWEEN {\"2000-01-01\", \"2002-01-01\"}",
      "coalesce(nil, CAST(0, \"NSDate\")) > \"2000-01-01\"", "now() > \"2001-01-01\"",
    ])
  func dates(_ text: String) throws {
    #expect(try world.fetch("Item", where: text) == world.fetch("Item", where: "TRUEPREDICATE"))
  }

  @Test(
    "is refused next to a text if it is a number",
    arguments: [
      "CAST(title, \"NSNumber\") == \"x\"", "random() < \"x\"", "year(day) == \"x\"",
      "length(title) == \"x\"",
    ])
  func numbers(_ text: String) throws {
    let failure = try #require(world.failure("Item", text), "\(text) was taken")
    #expect(failure.place == "\"x\"")
  }

  @Test("is accepted next to a text if it is one, or its type is unknown")
  func texts() throws {
    for text in ["CAST(count, \"NSString\") == \"x\"", "uppercase(title) == \"x\""] {
      #expect(try world.fetch("Item", where: text) == world.fetch("Item", where: "FALSEPREDICATE"))
    }
  }
}
