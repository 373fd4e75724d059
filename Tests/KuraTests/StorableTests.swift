import Foundation
import Kura
import Testing

struct Item: Storable, Equatable {
  var title: String
  var done = false
  var due: Date?
  var priority = 1
  var parentCategory: ObjectID?
  var tags: [ObjectID] = []
}

@Suite("A Swift type")
struct StorableTests {
  @Test("is inserted, read and replaced")
  func roundTrip() throws {
    let context = try Store.inMemory(Samples.model, storing: [Item.self]).context
    let home = try context.insert("Category", ["name": "家"])
    let tag = try context.insert("Tag", ["name": "急ぎ"])
    let item = Item(
      title: "掃除", due: Samples.day(1), priority: 3, parentCategory: home.id, tags: [tag.id])
    let object = try context.insert(item)
    #expect(try context.fetch(Item.self) == [item])
    #expect(try context.fetch(Item.self, where: "priority > %d", 3).isEmpty)
    #expect(try home["openCount"] == 1)
    try context.update(object, to: Item(title: "窓", done: true))
    #expect(try object.decode(Item.self) == Item(title: "窓", done: true))
    #expect(try context.insert([item, item]).count == 2)
    #expect(try context.snapshot.fetch(Item.self, where: "done == NO").count == 2)
  }

  struct Misspelt: Storable {
    static let entityName = "Item"
    var title: String
    var missing: String?
  }

  @Test("is compared with the model at its first use, including optional keys")
  func firstUse() throws {
    let context = try Store.inMemory(Samples.model).context
    #expect(throws: StoreError.self) { _ = try context.fetch(Misspelt.self) }
    #expect(throws: StoreError.self) { try context.insert(Misspelt(title: "a")) }
    #expect(try context.count(FetchRequest("Item")) == 0)
  }

  @Test("is fetched with a composed predicate")
  func byTree() throws {
    let context = try Store.inMemory(Samples.model).context
    try context.insert([Item(title: "a"), Item(title: "b", done: true)])
    let isDone = Key("done") == true
    #expect(try context.fetch(Item.self, where: isDone).map(\.title) == ["b"])
    #expect(try context.snapshot.fetch(Item.self, where: isDone).count == 1)
    #expect(try context.fetch("Item", where: isDone).count == 1)
    #expect(try context.snapshot.fetch("Item", where: isDone).count == 1)
  }

  enum Level: String, Codable, CaseIterable { case low, high }

  struct Everything: Storable, Equatable {
    var objectID: ObjectID?
    var flag: Bool
    var small: Int16
    var ratio: Double
    var money: Decimal
    var text: String
    var level: Level
    var moment: Date
    var id: UUID
    var link: URL
    var bytes: Data
    var list: [String]
    var note: String?
  }

  private func everything() throws -> Model {
    try Model(
      parsing: """
        entity Everything {
          flag: boolean; small: integer16; ratio: double; money: decimal; text: string
          level: string; moment: date; id: uuid; link: uri; bytes: binary; list: json; note: string?
        }
        """)
  }

  @Test("has values of every type")
  func types() throws {
    let context = try Store.inMemory(everything(), storing: [Everything.self]).context
    var value = Everything(
      flag: true, small: -3, ratio: 0.5, money: Decimal(string: "0.10")!, text: "é家", level: .high,
      moment: Samples.day(5), id: UUID(), link: URL(string: "https://a.example/b?c")!,
      bytes: Data([0, 255]), list: ["a", "b"], note: nil)
    value.objectID = try context.insert(value).id
    #expect(try context.fetch(Everything.self) == [value])
  }

  private static let misfits: [(type: any Storable.Type, sentence: String)] = [
    (Wrong.NoEntity.self, "NoEntity: the model has no entity \"NoEntity\""),
    (Wrong.NoKey.self, "NoKey.titel: Item has no key \"titel\""),
    (Wrong.OtherType.self, "OtherType.priority: Item.priority has the type integer in the model"),
    (
      Wrong.NotOptional.self,
      "NotOptional.due: Item.due is optional in the model, so its Swift type needs a ?"
    ),
    (
      Wrong.NoObject.self,
      "NoObject.parentCategory: Item.parentCategory is a relationship in the model: "
        + "use ObjectID or a Category type"
    ),
    (
      Wrong.OneObject.self,
      "OneObject.tags: Item.tags is a to-many relationship in the model: use [ObjectID]"
    ),
    (
      Wrong.ManyObjects.self,
      "ManyObjects.parentCategory: Item.parentCategory is a to-one relationship in the model, "
        + "not a list"
    ),
  ]

  @Test("that does not fit is reported when the store is opened", arguments: misfits.indices)
  func misfit(place: Int) throws {
    let (type, sentence) = Self.misfits[place]
    let error = storeError { _ = try Store.inMemory(Samples.model, storing: [type]) }
    guard case .storable(let problems)? = error else { return #expect(Bool(false)) }
    #expect(problems.map(\.facts.sentence) == [sentence])
  }

  enum Wrong {
    struct NoEntity: Storable { var title: String }
    struct NoKey: Storable {
      static let entityName = "Item"
      var titel: String
    }
    struct OtherType: Storable {
      static let entityName = "Item"
      var priority: String
    }
    struct NotOptional: Storable {
      static let entityName = "Item"
      var due: Date
    }
    struct NoObject: Storable {
      static let entityName = "Item"
      var parentCategory: String?
    }
    struct OneObject: Storable {
      static let entityName = "Item"
      var tags: ObjectID
    }
    struct ManyObjects: Storable {
      static let entityName = "Item"
      var parentCategory: [ObjectID]
    }
  }
}
