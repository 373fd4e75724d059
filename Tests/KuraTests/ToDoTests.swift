import Foundation
import Kura
import TestSupport
import Testing

/// A program of a user who has only read the README and the pages.
@Suite("A to-do list according to the pages")
final class ToDoTests {
  private struct Item: Storable {
    var title: String
    var done = false
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static var model: Model {
    get throws {
      try Model(
        parsing: """
          entity Category { name: string unique; items: [Item] inverse parentCategory delete cascade }
          entity Item { title: string min 1; done: boolean = NO; parentCategory: Category? inverse items }
          """)
    }
  }

  @Test("is modelled, filled, fetched, watched, undone, saved and opened again")
  func all() async throws {
    let store = try Store.create(folder.path("todo.json"), Self.model)
    let context = store.context
    let home = try context.insert("Category", ["name": "家"])
    let cleaning = try context.insert("Item", ["title": "掃除", "parentCategory": home])
    let request = try FetchRequest(
      "Item", where: "done == NO AND parentCategory.name == %@", "家"
    ).sorted(by: "title").limit(20)
    #expect(try context.fetch(request) == [cleaning])

    let open = try context.results(of: request)
    let items: [Item] = try context.fetch(Item.self, where: "done == NO")
    #expect(items.map(\.title) == ["掃除"])
    try context.update(cleaning, ["done": true])
    try context.undo()
    try context.insert("Item", ["title": "散歩", "parentCategory": home])
    try context.save()
    #expect(throws: Diagnostic.self) { try context.insert("Item", ["title": "x", "nobody": 1]) }

    var told: [[FetchedResultsChange.Event]] = []
    for await change in open.changes {
      told.append(change.events)
      if told.count == 3 { break }
    }
    let walk = try #require(context.object("Item", 2))
    #expect(
      told == [
        [.delete(.object(cleaning.id), from: [0, 0])], [.insert(.object(cleaning.id), at: [0, 0])],
        [.insert(.object(walk.id), at: [0, 1])],
      ])
    let again = try Store.open(folder.path("todo.json")).context
    #expect(try again.fetch(Item.self, where: "parentCategory.name == '家'").count == 2)
  }

  @Test("has errors as values")
  func mistakes() throws {
    let context = try Store.inMemory(Self.model).context
    try context.insert("Category", ["name": "家"])
    try context.insert("Category", ["name": "家"])
    try context.insert("Item", ["title": ""])
    // Each of the two names, and the title.
    #expect(context.validate().count == 3)
    let kept = try Store.create(folder.path("wrong.json"), Self.model).context
    try kept.insert("Item", ["title": ""])
    #expect(throws: StoreError.self) { try kept.save() }
    #expect(throws: Diagnostic.self) { try context.fetch("Item", where: "titel == 'x'") }
    #expect(throws: Diagnostic.self) { try FetchRequest("Item", where: "title ==") }
  }
}
