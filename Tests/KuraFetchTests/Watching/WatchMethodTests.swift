import KuraGraph
import Testing

@testable import KuraFetch

@Suite("The way in which a watched fetch is updated")
struct WatchMethodTests {
  @Test(
    "follows the relationships of its paths",
    arguments: [
      "Item where objectID == 1", "Item where objectID > 1 AND n > 1",
      "Item where category.objectID == 1", "Item where category.entity.name == \"Category\"",
      "Tag where ANY items.objectID == 1", "Category where items.count > 1",
      "Category where children.items.length > 1", "Category select name, items.count",
      "Item where SELF.title.length > 2", "Item where ANY tags.@unionOfObjects.SELF == Tag/1",
    ])
  func kept(text: String) throws {
    let tree = try WatchedWorld.fetch(text)
    let snapshot = GraphSnapshot(try WatchedWorld().context.graph)
    let request = try tree.bound(to: snapshot, WatchedWorld.environment)
    #expect(request.watchObstacle(of: tree) == nil)
  }

  @Test(
    "is a new fetch if the entity at a key is unknown",
    arguments: [
      "TERNARY(n > 1, category, tags).name == \"x\"",
      "ANY (tags UNION category.items.tags).name == \"x\"",
      "SUBQUERY(tags MINUS category.items.tags, $t, $t.name == \"x\").@count > 0",
    ])
  func boundless(text: String) throws {
    let tree = try WatchedWorld.fetch("Item where \(text)")
    let snapshot = GraphSnapshot(try WatchedWorld().context.graph)
    let request = try tree.bound(to: snapshot, WatchedWorld.environment)
    #expect(request.watchObstacle(of: tree) == .boundless)
  }
}
