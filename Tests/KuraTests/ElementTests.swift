import Foundation
import Kura
import Testing

@Suite("Elements at a path")
struct ElementTests {
  private func context() throws -> ManagedObjectContext {
    let model = try Model {
      Entity("Customer") {
        Attribute("name", .string)
        Relationship("orders", toMany: "Order", inverse: "customer")
      }
      Entity("Order") {
        Attribute("number", .integer)
        Attribute("lines", .json)
        Relationship("customer", to: "Customer", inverse: "orders")
      }
    }
    let context = try Store.inMemory(model).context
    let pen: [String: Any] = ["sku": "pen", "price": 1.5]
    let ink: [String: Any] = ["sku": "ink", "price": 12]
    try context.insert(
      "Customer",
      [
        [
          "name": "青木",
          "orders": [["number": 1, "lines": [pen, ink]], ["number": 2, "lines": [pen]]],
        ],
        ["name": "林", "orders": [["number": 3, "lines": [ink, ink]]]],
      ])
    return context
  }

  @Test("are rows with the keys of the elements, and their owner")
  func rows() throws {
    let context = try context()
    let request = try FetchRequest("Order.lines", where: "price > 10")
      .select("sku", "owner.number as order", "owner.customer.name as customer")
    let customers: [Value] = try context.rows(request).map { $0["customer"] ?? .null }
    #expect(customers == ["青木", "林", "林"])
    #expect(try context.count(FetchRequest("Order.lines")) == 5)
    #expect(try context.exists(FetchRequest("Order.lines", where: "sku == 'pen'")))
    let totals = try FetchRequest("Order.lines").grouped(by: "sku").select(
      "sku", "sum(price) as sum"
    )
    .sorted(by: "sku")
    #expect(try context.rows(totals).map(\.values) == [["ink", 36], ["pen", 3]])
    let best = try FetchRequest("Customer.orders").sorted(by: "number desc").limit(
      1, per: "owner.name")
    struct Order: Decodable, Equatable { var number: Int }
    #expect(try context.fetch(best, as: Order.self).map(\.number) == [3, 2])
  }

  @Test("are read from a snapshot, and follow changes")
  func snapshots() throws {
    let context = try context()
    let request = try FetchRequest(parsing: "fetch Order.lines where sku == 'pen'")
    let before = context.snapshot
    let lines = try before.fetch(request)
    #expect(try lines[0].value(forKey: "price") == 1.5)
    #expect(lines.map(\.id.description) == ["Order.lines/1", "Order.lines/3"])
    #expect(try lines[1].decode(Line.self) == Line(sku: "pen", price: 1.5))
    try context.update(FetchRequest("Order", where: "number == 2"), ["lines": [] as [Any]])
    #expect(try context.count(request) == 1)
    #expect(try before.count(request) == 2)
  }

  private struct Line: Decodable, Equatable {
    var sku: String
    var price: Double
  }

  @Test("are not confused with an entity whose name contains a dot")
  func dottedEntity() throws {
    let context = try Store.inMemory(Model { Entity("a.b") { Attribute("n", .integer) } }).context
    try context.insert("a.b", ["n": 1])
    #expect(try context.fetch(FetchRequest("a.b", where: "n == 1")).map(\.id.entity) == ["a.b"])
  }

  @Test("are not objects that a context returns, changes or watches")
  func refusals() throws {
    let context = try context()
    let request = FetchRequest("Order.lines")
    let refusal = "the rows of Order.lines are not objects of the store"
    #expect(sentence { _ = try context.fetch(request) } == refusal)
    #expect(sentence { _ = try context.objectIDs(request) } == refusal)
    #expect(sentence { _ = try context.delete(request) } == refusal)
    #expect(sentence { _ = try context.update(request, ["sku": "x"]) } == refusal)
    #expect(
      sentence { _ = try context.results(of: request) }
        == "the rows of Order.lines cannot be watched, because they are not objects of the store")
    #expect(sentence { _ = try context.count(FetchRequest("Order.line")) } != "")
    #expect(
      sentence { _ = try context.count(FetchRequest("Ordre.lines")) }
        == "there is no entity \"Ordre\"")
  }
}

@Suite("An insertion of related objects")
struct NestedInsertionTests {
  @Test("creates the objects of dictionaries, beside those that exist")
  func creates() throws {
    let context = try Samples.context()
    let walk = try #require(try context.first(FetchRequest("Item", where: "title == '散歩'")))
    let garden = try context.insert(
      "Category", ["name": "庭", "items": [["title": "草取り", "priority": 2], walk] as [Any]])
    #expect(try context.count(FetchRequest("Item", where: "parentCategory == %@", garden)) == 2)
    #expect(try walk["parentCategory"].predicateValue == garden.predicateValue)
    let item = try context.insert(
      "Item", ["title": "水やり", "parentCategory": ["name": "畑"], "tags": [["name": "夏"]]])
    #expect(try context.count(FetchRequest("Tag", where: "ANY items == %@", item)) == 1)
    #expect(try context.count(FetchRequest("Category", where: "name == '畑'")) == 1)
    #expect(try context.undo() == "insert Item")
    #expect(try context.count(FetchRequest("Category", where: "name == '畑'")) == 0)
    try context.update([walk], ["parentCategory": ["name": "公園"]])
    #expect(try context.count(FetchRequest("Item", where: "parentCategory.name == '公園'")) == 1)
  }

  @Test("inserts nothing if one of them does not fit")
  func fails() throws {
    let context = try Samples.context()
    let wrong = sentence {
      try context.insert("Category", ["name": "庭", "items": [["titel": "x"]]])
    }
    #expect(wrong == "Item has no key \"titel\"")
    let other = sentence {
      try context.insert("Category", ["name": "庭", "items": [["entity": "Tag", "name": "x"]]])
    }
    #expect(other == "Tag is not a subentity of Item")
    #expect(try context.count(FetchRequest("Category")) == 2)
  }

  @Test("finds or updates the object with the same values of a unique key")
  func matches() throws {
    let context = try Samples.context()
    let home = try context.insertOrFetch("Category", ["name": "家"])
    #expect(home.id.number == 1)
    let found = try context.insertOrFetch(
      "Category", [["name": "庭"], ["name": "庭"], ["name": "会社"]])
    #expect(found.map(\.id.number) == [3, 3, 2])
    #expect(try context.undo() == "insert or fetch Category")
    try context.insertOrUpdate("Category", ["name": "家", "items": [["title": "草取り"]]])
    #expect(try context.count(FetchRequest("Item", where: "parentCategory == %@", home)) == 1)
    #expect(
      sentence { try context.insertOrFetch("Tag", ["name": "x"]) }
        == "Tag has no unique key to find an object by")
    #expect(
      sentence { try context.insertOrFetch("Category", [:]) }
        == "no unique key of Category has a value to find an object by")
  }
}
