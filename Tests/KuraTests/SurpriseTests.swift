import Foundation
import Kura
import Testing

/// Mistakes and changes that must not be ignored silently.
@Suite("Without surprises")
struct SurpriseTests {
  let context: ManagedObjectContext

  init() throws { context = try Samples.context() }

  @Test("several statements alter the model together, or none does")
  func alterations() throws {
    try context.alter("alter entity Tag add colour: string?; alter entity Tag add rank: integer?")
    let tag = try #require(context.object("Tag", 1))
    try context.update(tag, ["colour": "赤", "rank": 1])
    try context.undo()
    try context.undo()
    #expect(sentence { _ = try tag["rank"] } == "Tag has no key \"rank\"")
    #expect(sentence { _ = try tag["colour"] } == "Tag has no key \"colour\"")
    for text in [
      "alter entity Tag add size: integer?; utter nonsense !!",
      "alter entity Tag add size: integer?\nalter entity Tag drop nothing",
      "alter entity Tag add size: integer?\nfetch Tag", "", " -- nothing",
    ] {
      #expect(sentence { try context.alter(text) } != nil, "\(text)")
      #expect(sentence { _ = try tag["size"] } == "Tag has no key \"size\"", "\(text)")
    }
  }

  @Test("a request is one fetch, and nothing follows it")
  func requests() throws {
    #expect(try FetchRequest(parsing: "fetch Item limit 1;\n-- all of it\n").tree.limit != nil)
    #expect(
      sentence { _ = try FetchRequest(parsing: "fetch Item; delete Item all") }
        == "expected the end after the fetch")
    #expect(sentence { _ = try FetchRequest(parsing: "delete Item all") } == "expected a fetch")
    #expect(sentence { _ = try FetchRequest(parsing: "fetch Item where title ==") } != nil)
  }

  @Test("an object of another store is not confused with the one of its number")
  func otherStores() throws {
    let other = try Samples.context()
    let (mine, theirs) = (context.object("Item", 1)!, other.object("Item", 1)!)
    let wanted = "this Item/1 belongs to another store"
    #expect(sentence { try context.delete(theirs) } == wanted)
    #expect(sentence { try context.update([mine, theirs], ["title": "x"]) } == wanted)
    let home = other.object("Category", 2)!
    let refused = "this Category/2 belongs to another store"
    #expect(sentence { try context.update(mine, ["parentCategory": home]) } == refused)
    #expect(
      sentence { try context.insert("Item", ["title": "x", "parentCategory": home]) } == refused)
    #expect(
      sentence { _ = try context.fetch("Item", where: "parentCategory == %@", home) } == refused)
    #expect(
      sentence {
        _ = try context.count(FetchRequest("Item", where: "parentCategory == $c").with(["c": home]))
      } == refused)
    let then = try other.snapshot.fetch("Category", where: "objectID == 2")[0]
    #expect(sentence { try context.update(mine, ["parentCategory": then]) } == refused)
    let mineThen = try context.snapshot.fetch("Category", where: "objectID == 2")[0]
    try context.update(mine, ["parentCategory": mineThen])
    let tag = other.object("Tag", 1)!
    #expect(
      sentence { try context.add([tag], to: "tags", of: mine) }
        == "this Tag/1 belongs to another store")
    #expect(try context.count(FetchRequest("Item")) == 4)
  }

  @Test("a child has the objects of its parent")
  func children() throws {
    let (draft, home) = (context.makeChild(), context.object("Category", 1)!)
    try draft.insert("Item", ["title": "x", "parentCategory": home])
    #expect(try draft.count(FetchRequest("Item", where: "parentCategory == %@", home)) == 3)
    try draft.save()
    try context.delete(draft.object("Item", 5)!)
  }

  @Test("two stores that were opened from one file have the same objects")
  func oneFile() throws {
    let path = NSTemporaryDirectory() + "kura-origin-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = try Store.create(path, Samples.model)
    let tag = try first.context.insert("Tag", ["name": "急ぎ"])
    try first.context.save()
    let second = try Store.open(path)
    try second.context.insert("Item", ["title": "x", "tags": [tag]])
    #expect(try second.context.count(FetchRequest("Item", where: "ANY tags == %@", tag)) == 1)
    first.close()
    #expect(storeError { try first.context.save() }?.description.contains("closed") == true)
    #expect(storeError { _ = try first.refresh() }?.description.contains("closed") == true)
  }

  @Test("a limit of 0 does not change everything")
  func zero() throws {
    #expect(
      sentence { _ = try context.delete(FetchRequest("Item").limit(0)) }
        == "a limit of 0 means no limit: all objects would change")
    #expect(
      sentence { _ = try context.update(FetchRequest("Item").limit(0), ["done": true]) } != nil)
    #expect(try context.fetch(FetchRequest("Item").limit(0)).count == 4)
    #expect(try context.delete(FetchRequest("Item").limit(1)) == 1)
  }

  @Test("a key is read as the relationship that it is")
  func kinds() throws {
    let item = context.object("Item", 1)!
    #expect(try item.object("parentCategory")?.id.number == 1 && item.objects("tags").isEmpty)
    #expect(
      sentence { _ = try item.objects("parentCategory") }
        == "Item.parentCategory is not a to-many relationship")
    #expect(sentence { _ = try item.object("tags") } == "Item.tags is not a to-one relationship")
    #expect(sentence { _ = try item.object("title") } == "Item.title is not a to-one relationship")
    #expect(sentence { _ = try item.objects("titel") } == "Item has no key \"titel\"")
  }

  @Test("Swift values cannot give keys to an objectID")
  func identities() throws {
    let items = try context.fetch(Item.self, where: "parentCategory != nil")
    #expect(
      sentence { _ = try items.count(by: "parentCategory.name == '家'") }
        == "Category/1 is only an objectID here, so it has no key \"name\"")
    let home = context.object("Category", 1)!
    #expect(try items.count(by: PredicateTree(format: "parentCategory == %@", home)) == 2)
    #expect(
      try items.count(by: PredicateTree(format: "parentCategory.objectID == %@", home.id)) == 2)
  }

  struct Category: Storable {
    var name: String
    var openCount: Int?
    var objectID: ObjectID?
  }

  @Test("derived values are read and not written back")
  func derived() throws {
    var home = try context.fetch(Category.self, where: "name == '家'")[0]
    #expect(home.openCount == 1)
    home.name = "新しい家"
    try context.update(context.object(home.objectID!)!, to: home)
    try context.insert(Category(name: "店", openCount: 9))
    #expect(try context.fetch(Category.self).map(\.openCount) == [1, 1, 0])
    #expect(try context.object("Category", 1)!["name"] == "新しい家")
  }

  @Test("a type and a request may be in either order")
  func orders() throws {
    let open = try FetchRequest("Item", where: "done == NO").sorted(by: "title")
    #expect(try context.fetch(Item.self, open) == context.fetch(open, as: Item.self))
    #expect(try context.snapshot.fetch(Item.self, open.limit(1)).count == 1)
    #expect(try context.count("Item", where: "title == %@", "掃除") == 1)
    #expect(try context.snapshot.count("Item", where: "done == NO") == 3)
  }

  @Test("SELF is the object")
  func evaluatedObject() throws {
    #expect(try ["a", "b"].filter(by: Key("SELF") == "a") == ["a"])
    #expect(try ["a", "bb"].filter(by: Key("SELF.length") > 1) == ["bb"])
    #expect((Key("SELF.title") == 1).predicateFormat == "SELF.title == 1")
  }

  @Test("a variable is written as programs write it")
  func variables() throws {
    do {
      _ = try context.count(FetchRequest("Item", where: "title == $name"))
    } catch let diagnostic as Diagnostic {
      #expect(diagnostic.facts.help == "give it a value: with([\"name\": …])")
    }
  }

  @Test("a text for a to-one relationship is an error with a message for programs")
  func relationshipText() throws {
    let problem = #expect(throws: Diagnostic.self) {
      try context.insert("Item", ["title": "a", "parentCategory": "Category/1"])
    }
    #expect(
      problem?.facts.help
        == "pass an object or its identity: context.object(\"Category\", 1)")
  }

  @Test("broken rules are not left for the next save")
  func performing() async throws {
    let todo = try ContextActor(inMemory: Samples.model)
    await #expect(throws: StoreError.self) {
      try await todo.performAndSave("add") { context in
        try context.insert("Item", ["title": ""])
      }
    }
    try await todo.performAndSave("add") { context in
      try context.insert("Item", ["title": "掃除"])
    }
    #expect(try await todo.snapshot.count(FetchRequest("Item")) == 1)
    try context.save()
    #expect(throws: StoreError.self) {
      try context.performAndSave("x") { try context.insert("Tag", ["name": nil]) }
    }
    #expect(!context.hasChanges && context.undoableActionNames.last == "insert Tag")
    let draft = context.makeChild()
    try draft.performAndSave("a draft") { try draft.insert("Tag", ["name": "下書き"]) }
    #expect(context.undoableActionNames.last == "a draft")
    let stamped = try Store.inMemory(
      Model(parsing: "entity Note { text: string; at: date derived (now()) }")
    ).context
    try stamped.performAndSave("note") { try stamped.insert("Note", ["text": "x"]) }
    #expect(!stamped.hasChanges)
  }
}

@Suite("A watched fetch that fails at an object")
struct FailingResultsTests {
  @Test("continues when it can be evaluated again, with all changes meanwhile")
  func continues() throws {
    let context = try Samples.context()
    let items = try context.results(
      of: FetchRequest("Item", where: "6 / priority > 3").sorted(by: "title"))
    #expect(items.count == 3 && items.failure == nil)
    let meeting = context.object("Item", 3)!
    try context.update(meeting, ["priority": 0])
    #expect(items.failure?.facts.sentence.contains("division by zero") == true)
    #expect(items.endReason == nil && items.count == 3)
    try context.insert("Item", ["title": "珈琲"])
    try context.update(context.object("Item", 1)!, ["due": Samples.day(9)])
    #expect(items.failure != nil && items.count == 3)
    try context.update(meeting, ["priority": 1])
    #expect(items.failure == nil)
    #expect(
      try items.objects.map(\.id)
        == context.fetch(
          FetchRequest("Item", where: "6 / priority > 3").sorted(by: "title")
        ).map(\.id))
    #expect(items.count == 5)
  }

  @Test("then reports what has changed since its last result")
  func changes() async throws {
    let context = try Samples.context()
    let items = try context.results(
      of: FetchRequest("Item", where: "6 / priority > 3").sorted(by: "objectID"))
    try context.update(context.object("Item", 3)!, ["priority": 0])
    try context.update(context.object("Item", 1)!, ["due": Samples.day(9)])
    try context.update(context.object("Item", 3)!, ["priority": 3])
    var told: [FetchedResultsChange] = []
    for await change in items.changes {
      told.append(change)
      break
    }
    let first = context.object("Item", 1)!.id
    #expect(told.map(\.events) == [[.update(.object(first), at: [0, 0], keys: ["due"])]])
  }

  @Test("is ended by a model that it does not fit")
  func ends() throws {
    let context = try Samples.context()
    let items = try context.results(of: FetchRequest("Item", where: "6 / priority > 3"))
    try context.update(context.object("Item", 3)!, ["priority": 0])
    try context.alter("alter entity Item drop priority")
    #expect(items.endReason != nil)
  }
}
