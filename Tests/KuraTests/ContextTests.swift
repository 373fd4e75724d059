import Foundation
import Kura
import Testing

@Suite("A context")
struct ContextTests {
  let context: ManagedObjectContext

  init() throws { context = try Samples.context() }

  private func item(_ title: String) throws -> ManagedObject {
    try #require(try context.first(FetchRequest("Item", where: "title == %@", title)))
  }

  @Test("inserts objects with defaults, derived values and both ends of relationships")
  func inserts() throws {
    let item = try item("掃除")
    #expect(item.description == "Item/1")
    #expect(try item["done"] == false)
    #expect(try item["priority"] == 1)
    let home = try #require(try item.object("parentCategory"))
    #expect(try home.objects("items").map(\.description) == ["Item/1", "Item/2"])
    #expect(try home["openCount"] == 1)
    #expect(try item.value(of: "parentCategory.items.@count") == 2)
    let due: Date = try item.value("due")
    #expect(due == Samples.day(3))
  }

  @Test("updates keys and inverse relationships")
  func updates() throws {
    let item = try item("散歩")
    let office = try #require(context.object("Category", 2))
    try context.update(item, ["parentCategory": office, "priority": 4, "due": nil])
    #expect(try item["due"] == nil)
    #expect(try office["openCount"] == 2)
    #expect(try context.update(FetchRequest("Item", where: "done == NO"), ["done": true]) == 3)
    #expect(try office["openCount"] == 0)
  }

  @Test("adds to a to-many relationship and removes from it")
  func toMany() throws {
    let (item, tags) = (try item("会議"), try context.fetch(FetchRequest("Tag")))
    try context.add(tags, to: "tags", of: item)
    #expect(try tags[0].objects("items") == [item])
    try context.remove([tags[0]], from: "tags", of: item)
    #expect(try item.objects("tags") == [tags[1]])
    #expect(
      sentence { try context.add(tags, to: "title", of: item) }
        == "Item.title is not a to-many relationship")
  }

  @Test("accepts an objectID for an object")
  func objectIDs() throws {
    let item = try item("散歩")
    try context.update(item, ["parentCategory": ObjectID(entity: "Category", number: 2)])
    #expect(try item.object("parentCategory")?.description == "Category/2")
    #expect(ObjectID("Category/2") == ObjectID(entity: "Category", number: 2))
    #expect(ObjectID("Category") == nil && ObjectID("/2") == nil && ObjectID("A/0") == nil)
  }

  @Test("deletes according to delete rules")
  func deletes() throws {
    let home = try #require(context.object("Category", 1))
    let item = try item("掃除")
    try context.delete(home)
    #expect(item.isDeleted && home.isDeleted)
    #expect(try item["title"] == nil)
    #expect(try context.count(FetchRequest("Item")) == 2)
    #expect(sentence { try context.delete(home) } == "there is no Category/1")
    #expect(try context.delete(FetchRequest("Item")) == 2)
  }

  @Test("undoes and redoes, with names")
  func undo() throws {
    let item = try item("散歩")
    try context.update(item, ["title": "走る"], actionName: "rename")
    #expect(context.undoableActionNames.last == "rename")
    #expect(try context.undo() == "rename")
    #expect(try item["title"] == "散歩")
    #expect(try context.redo() == "rename")
    #expect(try item["title"] == "走る")
    while try context.undo() != nil {}
    #expect(try context.count(FetchRequest("Item")) == 0)
    #expect(!context.hasChanges)
    context.rollback()
    while try context.redo() != nil {}
    #expect(try context.count(FetchRequest("Item")) == 4)
  }

  @Test("keeps as many undo groups as requested")
  func levels() throws {
    context.levelsOfUndo = 2
    for n in 0..<5 { try context.insert("Tag", ["name": "\(n)"]) }
    #expect(context.undoableActionNames.count == 2)
  }

  @Test("performs several changes as one group, which sees its own changes")
  func group() throws {
    let moved = try context.perform("move") {
      let garden = try context.insert("Category", ["name": "庭"])
      try context.update(
        FetchRequest("Item", where: "parentCategory == nil"), ["parentCategory": garden])
      return try garden.objects("items").count
    }
    #expect(moved == 1)
    #expect(context.undoableActionNames.last == "move")
    #expect(context.canUndo && !context.canRedo)
    try context.undo()
    #expect(try context.count(FetchRequest("Category")) == 2)
    #expect(context.canRedo)
    while context.canUndo { try context.undo() }
    #expect(try context.undo() == nil && context.undoableActionNames.isEmpty)
  }

  @Test("finds an object by the text of its identity")
  func identityAsText() throws {
    let id = try context.fetch(FetchRequest("Category"))[0].id
    #expect(ObjectID(id.description).flatMap { context.object($0) }?.id == id)
    for text in [
      "", "/", "Category", "Category/", "Category/0", "Category/-1", "/1", "Category/1 ",
    ] {
      #expect(ObjectID(text) == nil, "\(text)")
    }
  }

  @Test("reverts a group that fails, also inside another")
  func failedGroup() throws {
    struct Stop: Error {}
    let before = context.undoableActionNames
    #expect(throws: Stop.self) {
      try context.perform("outer") {
        try context.insert("Tag", ["name": "a"])
        try context.perform("inner") { try context.insert("Tag", ["name": "b"]) }
        throw Stop()
      }
    }
    #expect(context.undoableActionNames == before)
    #expect(try context.count(FetchRequest("Tag")) == 2)
    #expect(try context.insert("Tag", ["name": "c"]).id.number == 5)
  }

  @Test("saves nothing within a group")
  func noSaveInGroup() throws {
    let error = storeError {
      _ = try context.perform("x") { try context.save() }
    }
    guard case .performing? = error else { return #expect(Bool(false)) }
  }

  @Test(
    "reports what does not fit, and changes nothing",
    arguments: [
      ("Itm", ["title": "x"], "there is no entity \"Itm\""),
      ("Item", ["titel": "x"], "Item has no key \"titel\""),
      ("Item", ["priority": "high"], "Item.priority: expected an integer, found a string"),
      ("Category", ["openCount": 3], "Category.openCount is derived and cannot be set"),
      ("Item", ["parentCategory": "家"], "parentCategory holds one object of Category"),
    ] as [(String, [String: Value], String)])
  func errors(entity: String, values: [String: Value], expected: String) throws {
    let count = context.undoableActionNames.count
    #expect(sentence { try context.insert(entity, values.mapValues { $0 }) } == expected)
    #expect(context.undoableActionNames.count == count)
  }

  @Test("reports a key that an object does not have")
  func unknownKey() throws {
    let item = try item("散歩")
    #expect(sentence { _ = try item["titel"] } == "Item has no key \"titel\"")
  }

  @Test("reports broken rules, immediately if requested")
  func rules() throws {
    let item = try context.insert("Item", ["title": ""])
    #expect(context.validate().map(\.rule) == [.stringTooShort])
    #expect(context.validate()[0].description == "Item/5: \"title\" is shorter than 1 (1670)")
    try context.update(item, ["title": "x"])
    context.validatesEachChange = true
    guard case .invalid(let failures)? = storeError({ try context.update(item, ["priority": 9]) })
    else { return #expect(Bool(false)) }
    #expect(failures.map(\.key) == ["priority"])
    #expect(try item["priority"] == 1)
  }

  @Test("reports unsaved changes")
  func unsaved() throws {
    let changes = context.unsavedChanges
    #expect(changes.inserted.count == 8 && changes.kind == .unsaved)
    #expect(try Store.inMemory(try Samples.model).context.unsavedChanges.isEmpty)
  }
}
