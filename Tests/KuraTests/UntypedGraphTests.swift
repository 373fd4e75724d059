import Foundation
import Kura
import Testing

private enum Level: Int { case low = 1, high = 3 }
private enum Chore: String { case cleaning = "掃除" }
private struct Card: Hashable { var n = 1 }
private struct Plain { var n = 1 }

@Suite("Swift values that a graph accepts")
struct UntypedGraphTests {
  private struct Item: Storable { var title: String; var priority: Int; var due: Date? }

  @Test("arguments without a static type")
  func arguments() throws {
    let context = try Samples.context()
    let texts = try [
      FetchRequest("Item", where: "priority == %@", NSNumber(value: 3)),
      FetchRequest("Item", where: "priority == %@", Level.high),
      FetchRequest("Item", where: "%K == %@", argumentArray: ["priority", 3]),
      FetchRequest("Item", where: "title == %@ AND priority == %d", "会議", 3),
      FetchRequest("Item", where: "parentCategory.name == '会社'", argumentArray: []),
    ]
    for request in texts { #expect(try context.count(request) == 1) }
    #expect(try context.fetch("Item", where: "title == %@", Chore.cleaning).count == 1)
    #expect(try context.snapshot.fetch("Item", where: "title == %@", Chore.cleaning).count == 1)
    #expect(
      try context.fetch(Item.self, where: "priority == %@", Level.high).map(\.title) == ["会議"])
    #expect(try context.snapshot.fetch(Item.self, where: "priority == %@", Level.high).count == 1)
    #expect(throws: UnknownValueType.self) {
      try FetchRequest("Item", where: "title == %@", Plain())
    }
  }

  @Test("values of keys")
  func values() throws {
    let context = try Samples.context()
    let item = try context.insert(
      "Item", ["title": Chore.cleaning, "priority": Level.high, "due": nil])
    #expect(try item["title"] == "掃除" && item["priority"] == 3)
    try context.update(item, ["priority": NSNumber(value: 2), "title": "x" as NSString])
    #expect(try item["title"] == "x" && item["priority"] == 2)
    let due: Date? = Date(timeIntervalSince1970: 5)
    let values: [String: any ValueConvertible] = ["due": due]
    try context.update(item, values)
    #expect(try item.value("due") == due)
    let again: Date? = try item.value("due")
    #expect(again == due)
    #expect(throws: (any Error).self) { try context.update(item, ["title": Card()]) }
    #expect(throws: (any Error).self) { try context.update(item, ["parentCategory": Card()]) }
    let error = #expect(throws: Diagnostic.self) { try context.update(item, ["title": Plain()]) }
    #expect(error?.facts.sentence == "Item.title: a value of type Plain cannot be read")
  }
}
