import Testing

@testable import KuraShell

@Suite("A change of many objects")
struct DangerTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let model = """
    entity Category { name: string; items: [Item] inverse category delete cascade }
    entity Item { title: string; category: Category? inverse items }

    """

  /// Inserts categories with items of their own, in memory.
  private func fill(_ session: Session, categories: Int, itemsEach: Int) {
    session.run(Self.model)
    for number in 1...categories { session.run("insert Category name = \"c\(number)\"") }
    let items = (0..<categories * itemsEach).map {
      #"{"title": "i", "category": \#($0 % categories + 1)}"#
    }
    if !items.isEmpty { session.run("insert Item [\(items.joined(separator: ","))]") }
  }

  /// Returns the output at a terminal with these answers, after inserting the objects.
  private func say(
    _ statement: String, answers: [String]?, categories: Int = 2, itemsEach: Int = 60
  ) throws -> String {
    folder.answers = answers
    let session = try Session(Launch(), folder.services)
    fill(session, categories: categories, itemsEach: itemsEach)
    let before = folder.output.count
    session.run(statement + "\ncount Category; count Item")
    try session.targets.flush()
    return String(folder.output.dropFirst(before))
  }

  @Test("is confirmed with the number of objects that delete rules include")
  func cascades() throws {
    #expect(
      try say("delete Category all", answers: ["n"])
        == "This deletes 2 Category objects and 120 Item objects. Continue? [y/N]: nothing changed\n2\n120\n"
    )
    let output = try say("delete Category all", answers: ["y"])
    #expect(
      output.hasPrefix(
        "This deletes 2 Category objects and 120 Item objects. Continue? [y/N]: 122 deleted: "))
    #expect(output.hasSuffix("\n0\n0\n"))
  }

  @Test("is also confirmed with a predicate, above a hundred objects in all")
  func predicate() throws {
    let statement = "delete Category where name == \"c1\""
    #expect(
      try say(statement, answers: [], categories: 1, itemsEach: 1200)
        == "This deletes 1 Category object and 1,200 Item objects. Continue? [y/N]: nothing changed\n1\n1200\n"
    )
    #expect(try say(statement, answers: []).hasPrefix("61 deleted: "))
    #expect(
      try say("delete Category/1", answers: [""], categories: 1, itemsEach: 100)
        .hasPrefix("This deletes 1 Category object and 100 Item objects."))
    #expect(
      try say(statement, answers: [], categories: 1, itemsEach: 99).hasPrefix("100 deleted: "))
  }

  @Test("needs no confirmation in a script")
  func script() throws {
    #expect(try say("delete Category all", answers: nil).hasPrefix("122 deleted: "))
  }

  @Test("is confirmed if an entity is dropped")
  func drop() throws {
    let alone = "alter entity Item drop category\ndrop entity Category all"
    #expect(
      try say(alone, answers: ["n"])
        .contains(
          "This drops Category and deletes 2 Category objects. Continue? [y/N]: nothing changed\n2\n"
        ))
  }

  @Test("is confirmed if all objects are changed")
  func update() throws {
    #expect(
      try say("update Item set title = \"x\" all", answers: [""])
        .hasPrefix("This changes 120 Item objects. Continue? [y/N]: nothing changed\n"))
    #expect(
      try say("update Item set title = \"x\" all", answers: ["yes"])
        .hasPrefix("This changes 120 Item objects. Continue? [y/N]: 120 updated: "))
    #expect(try say("delete Item all", answers: [], itemsEach: 0).hasPrefix("nothing changed\n"))
  }

  @Test("restarts the time limit after the question")
  func timeout() throws {
    folder.answers = ["y"]
    var services = folder.services
    let ask = services.ask
    services.ask = { question in
      let start = ContinuousClock.now
      while start.duration(to: .now) < .milliseconds(1300) {}
      return ask?(question)
    }
    let session = try Session(Launch(), services)
    fill(session, categories: 2, itemsEach: 1)
    session.run(".timeout 1\ndelete Category all")
    #expect(folder.output.hasSuffix("4 deleted: Category/1, Category/2, Item/1, Item/2\n"))
  }

  @Test(
    "is refused at Enter if a statement does not select objects",
    arguments: [
      ("delete Item", "delete Item"),
      ("update Item set title = \"x\"", "update Item set title = \"x\""),
    ])
  func refused(_ statement: String, _ shown: String) throws {
    #expect(Session.isComplete(statement))
    let output = try say(statement, answers: [])
    #expect(output.contains("expected where PREDICATE or all"))
    #expect(output.contains("\(shown) where …"))
    #expect(output.contains("\(shown) all"))
  }
}
