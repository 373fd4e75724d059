import Testing

@testable import KuraShell

@Suite("A store that compare generates")
struct GeneratedStoreTests {
  private static let model = """
    entity Category { name: string min 1 unique; items: [Item] inverse parentCategory }
    entity Item { title: string; done: boolean = NO; price: decimal?; dueDate: date?; parentCategory: Category? inverse items; tags: [Tag] inverse items; next: Item? }
    entity Note: Item { text: string min 3 max 9 }
    entity Tag { name: string?; items: [Item] inverse tags }

    """

  @Test(
    "is recreated by its statements, which show the same difference",
    arguments: [
      ("Item where title LIKE \"a*\"", "title BEGINSWITH \"a\" AND price != 3"),
      (
        "Item where ANY tags.name == \"a\" AND ANY tags.items.title == \"b\"",
        "SUBQUERY(tags, $t, $t.name == \"a\" AND ANY $t.items.title == \"b\").@count > 0"
      ),
      ("Item where parentCategory.items.@count > 2", "parentCategory.items.@count > 1"),
      ("Category where ANY items.done == YES", "NONE items.done == NO"),
      ("Item where next.next.title == \"x\"", "next.title == \"x\""),
      ("Item where year(dueDate) == 2026", "dueDate >= \"2026-01-01\""),
      ("Note where text CONTAINS[cd] \"が\"", "text CONTAINS \"が\""),
      ("Tag where items.@sum.price >= 10.5", "ANY items.price >= 10.5"),
    ])
  func isWhatItsStatementsMake(first: String, second: String) throws {
    let question = "compare \(first) with \(second)"
    let found = try output(Self.model, question)
    let statements = found.split(separator: "\n").filter { $0.hasPrefix("insert ") }
    #expect(!statements.isEmpty, "\(found)")
    let again = try output(Self.model + statements.joined(separator: "\n") + "\n", question)
    #expect(!again.contains("script.kura:") && !again.contains("the same result"), "\(again)")
    #expect(
      again.contains(found.split(separator: "\n").first { $0.contains(" is in the ") } ?? "-"))
  }

  private func output(_ model: String, _ question: String) throws -> String {
    try TestFolder().run(model + question + "\n.quit\n") {
      $0.store = nil
      $0.continuesAfterErrors = true
    }.0
  }
}
