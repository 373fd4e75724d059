import Foundation
import Kura
import Testing

@Suite("A fetch that stays")
struct FetchedResultsTests {
  private func store() throws -> Store {
    try Store.inMemory(
      try Model {
        Entity("Item") {
          Attribute("title", .string)
          Attribute("done", .boolean, default: false)
        }
      })
  }

  @Test("says behind each step how its answer changed")
  func changes() async throws {
    let context = try store().context
    let tea = try context.insert("Item", ["title": "茶"])
    let open = try context.results(
      of: FetchRequest("Item", where: "done == NO").sorted(by: "title"))
    #expect(open.objects == [tea])
    #expect(open.indexPath(of: tea) == [0, 0])
    var changes = open.changes.makeAsyncIterator()

    let ant = try context.insert("Item", ["title": "蟻"])
    #expect(await changes.next()?.events == [.insert(.object(ant.id), at: [0, 1])])
    try context.update(tea, ["done": true])
    #expect(await changes.next()?.events == [.delete(.object(tea.id), from: [0, 0])])
    try context.update(tea, ["title": "麦茶"])
    try context.undo()
    try context.undo()
    #expect(await changes.next()?.events == [.insert(.object(tea.id), at: [0, 0])])
    try context.update(ant, ["title": "an ant"])
    #expect(
      await changes.next()?.events
        == [.move(.object(ant.id), from: [0, 1], to: [0, 0], keys: ["title"])])
    #expect(open.object(at: [0, 1]) == tea)
    #expect(open.object(at: [0, 2]) == nil)
    #expect(open.count == 2)
  }

  @Test("refuses what a fetch refuses")
  func refusals() throws {
    let context = try store().context
    #expect(throws: Diagnostic.self) {
      _ = try context.results(of: FetchRequest("Item", where: "titel == 'x'"))
    }
  }
}
