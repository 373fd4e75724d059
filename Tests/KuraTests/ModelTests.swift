import Foundation
import Kura
import Testing

@Suite("A model")
struct ModelTests {
  @Test("is the same in Swift, as text and as JSON")
  func forms() throws {
    let model = try Samples.model
    #expect(try Model(parsing: model.text) == model)
    #expect(try Model(json: model.json) == model)
    let item = try #require(model["Item"])
    #expect(item.attributes.map(\.name) == ["title", "done", "due", "priority"])
    #expect(model["Category"]?.uniquenessConstraints == [["name"]])
  }

  @Test("is built with if and for")
  func building() throws {
    let hasTags = true
    let model = try Model {
      for name in ["A", "B"] {
        Entity(name) {
          Attribute("x", .integer)
          if hasTags { Attribute("tags", .json, isOptional: true) }
        }
      }
    }
    #expect(model.entities.map(\.name) == ["A", "B"] && model.entities[1].attributes.count == 2)
  }

  @Test("reads the literals of defaults and bounds as their types")
  func literals() throws {
    let model = try Model {
      Entity("A") {
        Attribute("price", .decimal, default: "0.10", maximum: 3)
        Attribute("day", .date, default: "2026-01-31")
      }
    }
    let object = try Store.inMemory(model).context.insert("A")
    #expect(try object["price"] == .decimal(Decimal(string: "0.1")!))
    guard case .date = try object["day"] else { return #expect(Bool(false)) }
  }

  @Test(
    "that is inconsistent reports all problems",
    arguments: [
      ("entity A { x: strng }", 1), ("entity A { x: [B] }", 1), ("entity A { } entity A { }", 1),
      ("entity A { x: string = 3; y: integer = \"z\" }", 1), ("count A", 1), ("entity", 1),
      ("entity A: B { }; request R = fetch C where", 1),
    ])
  func problems(text: String, count: Int) {
    guard case .model(let problems)? = storeError({ _ = try Model(parsing: text) }) else {
      return #expect(Bool(false), "\(text)")
    }
    #expect(problems.count >= count)
  }

  @Test("of many entities may refer to later ones")
  func many() throws {
    let text = (0..<2_000).map { "entity E\($0) { e: E\(($0 * 7 + 1) % 2_000)?; t: string }" }
    let model = try Model(parsing: text.joined(separator: "\n"))
    #expect(model.entities.map(\.name) == (0..<2_000).map { "E\($0)" })
    #expect(model["E3"]?.relationships.map(\.destination) == ["E22"])
  }

  @Test("of bad JSON reports the place")
  func badJSON() {
    guard case .model(let problems)? = storeError({ _ = try Model(json: "{\"entities\": {") })
    else {
      return #expect(Bool(false))
    }
    #expect(problems[0].span != nil)
  }

  @Test("that is built wrongly reports the error")
  func builtWrongly() {
    let error = storeError {
      _ = try Model { Entity("A") { Attribute("x", .integer, default: "many") } }
    }
    guard case .model(let problems)? = error else { return #expect(Bool(false)) }
    #expect(problems.map(\.facts.sentence) == ["A.x: expected an integer, found a string"])
  }
}

@Suite("Another model")
struct MigrationTests {
  let context: ManagedObjectContext

  init() throws { context = try Samples.context() }

  private func model(_ change: (inout String) -> Void) throws -> Model {
    var text = context.model.text
    change(&text)
    return try Model(parsing: text)
  }

  @Test("accepts renamed and additional entities and keys")
  func renames() throws {
    let newer = try model {
      $0 =
        $0.replacing("Item", with: "Task").replacing("title:", with: "name:")
        + "\nentity Note { text: string; task: Task? }"
    }
    try context.migrate(
      to: newer, renaming: ModelRenames(entities: ["Task": "Item"], keys: ["Task.name": "title"]))
    #expect(try context.count(FetchRequest("Task", where: "name == '掃除'")) == 1)
    #expect(
      try context.object("Category", 1)?.objects("items").map(\.description) == [
        "Task/1", "Task/2",
      ])
    let task = try #require(context.object("Task", 1))
    #expect(try context.insert("Note", ["text": "x", "task": task]).description == "Note/1")
    try context.undo()
    #expect(try context.undo() == "change the model")
    #expect(try context.count(FetchRequest("Item", where: "title == '掃除'")) == 1)
  }

  @Test("drops entities with their objects, and keys")
  func drops() throws {
    let smaller = try Model(parsing: "entity Item { title: string; done: boolean = NO }")
    try context.migrate(to: smaller)
    #expect(context.model.entities.map(\.name) == ["Item"])
    #expect(try context.count(FetchRequest("Item", where: "done == NO")) == 3)
    try context.undo()
    #expect(try context.count(FetchRequest("Tag")) == 2)
  }

  @Test("changes nothing if objects do not fit")
  func inTheWay() throws {
    let stricter = try model { $0 = $0.replacing("due: date?", with: "due: date") }
    guard case .migration(let problems)? = storeError({ try context.migrate(to: stricter) }) else {
      return #expect(Bool(false))
    }
    #expect(
      problems.map(\.facts.sentence) == ["Item/2: \"due\" has no value, but is not optional (1570)"]
    )
    #expect(try context.first(FetchRequest("Item"))?["due"] != nil)
  }

  @Test("cannot replace every model")
  func refused() throws {
    #expect(
      sentence {
        try context.migrate(to: context.model, renaming: ModelRenames(entities: ["Task": "Item"]))
      }
        == "Item cannot be renamed to Task: one of the two does not exist")
    let swapped = try model {
      $0 = $0.replacing("Tag", with: "X").replacing("Category", with: "Tag").replacing(
        "X", with: "Label")
    }
    #expect(
      sentence {
        try context.migrate(to: swapped, renaming: ModelRenames(entities: ["Label": "Tag"]))
      }
        == "Tag is another entity in the store's model")
  }

  @Test("can result from statements, too")
  func alters() throws {
    try context.alter("alter entity Item rename title to name")
    #expect(try context.first(FetchRequest("Item"))?["name"] == "掃除")
    #expect(
      sentence { try context.alter("alter entity Itm drop x") } == "there is no entity \"Itm\"")
    #expect(sentence { try context.alter("drop entity Item") } == "expected alter entity")
    #expect(try context.undo() == "alter entity Item rename title to name")
  }
}
