import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraGraph

private let context = EvaluationContext(nilArithmeticIsNil: true)

/// Returns two entities and one that inherits, with some objects.
private func world(_ count: Int = 4) throws -> GraphContext {
  let item = Entity(
    name: "Item",
    attributes: [
      Attribute(name: "title", type: .string),
      Attribute(name: "size", type: .double, isOptional: true),
    ],
    relationships: [
      Relationship(name: "box", destination: "Box", inverse: "items")
    ])
  let task = Entity(
    name: "Task", parent: "Item",
    attributes: [Attribute(name: "level", type: .integer, isOptional: true)])
  let box = Entity(
    name: "Box",
    relationships: [
      Relationship(name: "items", destination: "Item", isToMany: true, inverse: "box")
    ])
  var world = GraphContext(Graph(model: Model(entities: [item, task, box])))
  for _ in 0..<2 { _ = try world.insert([NewObject(entity: "Box")]) }
  for i in 0..<count {
    let isTask = i % 2 == 1
    let place = try #require(
      world.graph.find(ObjectID(entity: "Box", root: "Box", number: Int64(i % 2 + 1))))
    let object = world.snapshot.object(table: place.table, row: place.row)
    _ = try world.insert([
      NewObject(
        entity: isTask ? "Task" : "Item",
        values: [
          NewValue("title", .string("\(i)")), NewValue("size", .double(Double(i))),
          NewValue("box", .object(ObjectReference(object))),
        ])
    ])
  }
  return world
}

@Suite("A number that is converted to another type")
struct NumberMigrationTests {
  /// A value of a type, the type to which it is converted, and the result; nil if it is refused.
  private static let readings: [(AttributeType, Value, AttributeType, Value?)] = [
    (.integer, 9_007_199_254_740_992, .double, 9_007_199_254_740_992),
    (.integer, 9_007_199_254_740_993, .double, nil), (.integer, 16_777_217, .float, nil),
    (.integer, 16_777_216, .float, 16_777_216), (.integer, 70_000, .integer16, nil),
    (.double, .double(0x1p60), .integer, .integer(1 << 60)),
    (.double, .double(0x1p60), .decimal, .integer(1 << 60)), (.double, 2.5, .integer, nil),
    (.double, .double(1e-300), .decimal, nil), (.double, .double(1e-300), .integer, nil),
    (.double, .double(1e300), .float, nil), (.double, 0.1, .float, .double(Double(Float(0.1)))),
    (.double, 0.123456789012, .float, nil), (.double, -0.0, .integer, 0),
    (.float, .double(Double(Float(0.1))), .decimal, .string("0.1")),
    (.float, .double(Double(Float(0.1))), .double, 0.1), (.boolean, true, .decimal, 1),
    (.decimal, .string("0.1"), .double, 0.1), (.decimal, .string("0.1"), .float, 0.1),
    (.decimal, .string("1234567890.12345678901"), .double, nil),
    (.decimal, .string("12345678901234567890123"), .double, nil),
    (.decimal, .string("12"), .integer16, 12), (.decimal, .string("1.5"), .integer, nil),
    (.string, "1e-400", .integer, nil), (.string, "1e-400", .double, nil),
    (.string, "0.1", .double, 0.1), (.string, "1.00000000000000000001", .double, nil),
    (.string, "1.00", .integer, 1), (.json, 9_007_199_254_740_993, .double, nil),
    (.json, 3, .double, 3),
  ]

  /// Returns a decimal from its digits.
  private static func value(_ value: Value, _ type: AttributeType) throws -> Value {
    guard type == .decimal, case .string(let digits) = value else { return value }
    return try type.value(ofDigits: digits)
  }

  @Test("keeps all its digits, or is refused", arguments: readings)
  func reading(old: AttributeType, value: Value, new: AttributeType, wanted: Value?) throws {
    let value = try Self.value(value, old)
    guard let wanted = try wanted.map({ try Self.value($0, new) }) else {
      #expect(throws: ValueMismatch.self) { try new.reading(value, of: old, in: .utc) }
      return
    }
    let read = try new.reading(value, of: old, in: .utc)
    #expect(read == wanted || new == .float && read == .double(Double(Float(0.1))))
  }
}

/// Returns a key's values, object by object; objects as the texts of their identities.
private func values(_ graph: Graph, _ entity: String, _ key: String) -> [String] {
  let snapshot = GraphSnapshot(graph)
  return graph.objectIDs(of: entity).compactMap(graph.find).map { place in
    let object = snapshot.object(table: place.table, row: place.row)
    switch try? object.value(forKey: key) {
    case .object(let reference)?: return reference.id?.description ?? "?"
    case .set(let set)?:
      return set.elements.map {
        if case .object(let x) = $0 { x.id?.description ?? "?" } else { "?" }
      }
      .joined(separator: " ")
    case .null?, nil: return "-"
    case .integer(let x)?: return "\(x)"
    case .double(let x)?: return "\(x)"
    case .string(let x)?: return x
    case let value?: return "\(value)"
    }
  }
}

private func migration(_ graph: Graph, _ change: (inout Model) -> Void) -> Migration {
  var model = graph.model
  change(&model)
  return Migration(graph, to: model)
}

private func problems(_ migration: Migration) -> [String] {
  do {
    _ = try migration.graph(in: context)
    return []
  } catch let problems as MigrationProblems {
    return problems.problems.map(\.sentence)
  } catch {
    return ["\(error)"]
  }
}

@Suite("A change of the model")
struct MigrationTests {
  @Test("gives objects of the entity and its subentities a new attribute's default, and no others")
  func add() throws {
    let graph = try world().graph
    let level = Attribute(name: "rank", type: .integer, isOptional: true, defaultValue: .integer(3))
    let all = migration(graph) { $0.set(.attribute(level), of: "Item", isUnique: false) }
    #expect(values(try all.graph(in: context), "Item", "rank") == ["3", "3", "3", "3"])
    let heirs = migration(graph) { $0.set(.attribute(level), of: "Task", isUnique: false) }
    #expect(values(try heirs.graph(in: context), "Item", "rank") == ["-", "3", "-", "3"])
  }

  @Test("keeps values and links under a new key, and their chunks")
  func renameKey() throws {
    let graph = try world().graph
    var migration = migration(graph) {
      $0.rename(key: "title", of: "Item", to: "name")
      $0.rename(key: "items", of: "Box", to: "contents")
    }
    migration.oldKeys = [EntityKey("Item", "name"): "title", EntityKey("Box", "contents"): "items"]
    let after = try migration.graph(in: context)
    #expect(values(after, "Item", "name") == ["0", "1", "2", "3"])
    #expect(values(after, "Box", "contents") == ["Item/1 Item/3", "Task/2 Task/4"])
    #expect(values(after, "Item", "title") == ["-", "-", "-", "-"])
  }

  @Test("keeps objects and links to them under a new name of the entity")
  func renameEntity() throws {
    var world = try world()
    var migration = migration(world.graph) { $0.rename(entity: "Item", to: "Thing") }
    migration.oldEntities = ["Thing": "Item"]
    world.changeModel("rename", to: try migration.graph(in: context))
    #expect(values(world.graph, "Thing", "box") == ["Box/1", "Box/2", "Box/1", "Box/2"])
    #expect(values(world.graph, "Box", "items") == ["Thing/1 Thing/3", "Task/2 Task/4"])
    #expect(world.graph.find(ObjectID(entity: "Item", root: "Item", number: 1)) == nil)
    _ = try world.insert([NewObject(entity: "Thing", values: [NewValue("title", .string("x"))])])
    _ = try world.undo()
    _ = try world.undo()
    // A number that was given under the former name is not reused.
    let ids = try world.insert([
      NewObject(entity: "Item", values: [NewValue("title", .string("x"))])
    ])
    #expect(ids.map(\.description) == ["Item/6"])
  }

  @Test("converts values to the new type, and lists all that cannot be converted")
  func retype() throws {
    var world = try world()
    let size = Attribute(name: "size", type: .integer, isOptional: true)
    let whole = migration(world.graph) { $0.set(.attribute(size), of: "Item", isUnique: false) }
    #expect(values(try whole.graph(in: context), "Item", "size") == ["0", "1", "2", "3"])
    for number in [1, 3] as [Int64] {
      let place = try #require(
        world.graph.find(ObjectID(entity: "Item", root: "Item", number: number)))
      _ = try world.perform("set", in: context) { editor in
        try editor.set(
          NewValue("size", .double(0.5)), table: place.table, row: place.row)
      }
    }
    let broken = migration(world.graph) { $0.set(.attribute(size), of: "Item", isUnique: false) }
    #expect(
      problems(broken).map { String($0.prefix(20)) } == [
        "Item/1: \"size\": 0.5 ", "Item/3: \"size\": 0.5 ",
      ])
  }

  @Test("fills null with the default of an attribute that becomes mandatory")
  func mandatory() throws {
    let graph = try world().graph
    let level = Attribute(name: "level", type: .integer, defaultValue: .integer(1))
    var filled = migration(graph) { $0.set(.attribute(level), of: "Task", isUnique: false) }
    filled.checked = [EntityKey("Task", "level")]
    #expect(values(try filled.graph(in: context), "Task", "level") == ["1", "1"])
    let bare = Attribute(name: "level", type: .integer)
    var refused = migration(graph) { $0.set(.attribute(bare), of: "Task", isUnique: false) }
    refused.checked = [EntityKey("Task", "level")]
    #expect(problems(refused).count == 2)
  }

  @Test("makes a to-one a to-many and back if no object has several")
  func multiplicity() throws {
    let graph = try world().graph
    let many = Relationship(name: "box", destination: "Box", isToMany: true, inverse: "items")
    let wide = migration(graph) { $0.set(.relationship(many), of: "Item", isUnique: false) }
    let after = try wide.graph(in: context)
    #expect(values(after, "Box", "items") == ["Item/1 Item/3", "Task/2 Task/4"])
    #expect(values(after, "Item", "box") == ["Box/1", "Box/2", "Box/1", "Box/2"])
    let one = Relationship(name: "box", destination: "Box", inverse: "items")
    let narrow = migration(after) { $0.set(.relationship(one), of: "Item", isUnique: false) }
    #expect(values(try narrow.graph(in: context), "Item", "box") == values(graph, "Item", "box"))
    let single = Relationship(name: "items", destination: "Item", inverse: "box")
    let refused = migration(after) { $0.set(.relationship(single), of: "Box", isUnique: false) }
    #expect(
      problems(refused) == [
        "Box/1: \"items\" has 2 objects and cannot become to-one: Item/1, Item/3",
        "Box/2: \"items\" has 2 objects and cannot become to-one: Task/2, Task/4",
      ])
  }

  @Test("keeps the links of both ends when an inverse is removed, and joins them when one is added")
  func inverse() throws {
    let graph = try world().graph
    let apart = migration(graph) {
      $0.setInverse(nil, of: "box", in: "Item")
      $0.setInverse(nil, of: "items", in: "Box")
    }
    let separate = try apart.graph(in: context)
    for (entity, key) in [("Item", "box"), ("Box", "items")] {
      #expect(values(separate, entity, key) == values(graph, entity, key))
    }
    let together = migration(separate) {
      $0.setInverse("items", of: "box", in: "Item")
      $0.setInverse("box", of: "items", in: "Box")
    }
    let joined = try together.graph(in: context)
    for (entity, key) in [("Item", "box"), ("Box", "items")] {
      #expect(values(joined, entity, key) == values(graph, entity, key))
    }
  }

  @Test("refuses a destination that does not fit the linked objects")
  func destination() throws {
    let graph = try world().graph
    let other = Relationship(name: "items", destination: "Task", isToMany: true)
    let migration = migration(graph) {
      $0.set(.relationship(other), of: "Box", isUnique: false)
      $0.setInverse(nil, of: "box", in: "Item")
    }
    #expect(problems(migration) == ["Box/1: \"items\" is Item/1, which is not an object of Task"])
  }

  @Test("is one step of the history, with undo and redo together with the objects")
  func undo() throws {
    var world = try world()
    let before = values(world.graph, "Item", "title")
    let drop = migration(world.graph) { $0.remove(key: "title", of: "Item") }
    world.changeModel("alter entity Item", to: try drop.graph(in: context))
    #expect(values(world.graph, "Item", "title") == ["-", "-", "-", "-"])
    #expect(try world.undo()?.name == "alter entity Item")
    #expect(values(world.graph, "Item", "title") == before)
    _ = try world.redo()
    #expect(values(world.graph, "Item", "title") == ["-", "-", "-", "-"])
  }
}

@Suite("A deletion that is denied")
struct DeniedDeletionTests {
  @Test("is also found for an object that was inserted since the last save")
  func came() throws {
    let model = Model(entities: [
      Entity(
        name: "A",
        relationships: [
          Relationship(
            name: "items", destination: "B", isToMany: true, inverse: "a", deleteRule: .deny)
        ]),
      Entity(
        name: "B", relationships: [Relationship(name: "a", destination: "A", inverse: "items")]),
    ])
    var world = GraphContext(Graph(model: model))
    let a = try world.insert([NewObject(entity: "A")])
    let object = world.snapshot.object(table: 0, row: 0)
    _ = try world.insert([
      NewObject(entity: "B", values: [NewValue("a", .object(ObjectReference(object)))])
    ])
    _ = try world.perform("delete", in: context) { editor in try editor.delete(a) }
    #expect(world.validationFailures(in: context).map(\.rule) == [.deniedDelete])
    _ = try world.undo()
    #expect(world.validationFailures(in: context).isEmpty)
  }
}

@Suite("A change of a relationship")
struct RelationshipMigrationTests {
  /// Returns items with subentities that a person owns.
  private func world() throws -> GraphContext {
    let item = Entity(
      name: "Item",
      relationships: [Relationship(name: "owner", destination: "Person", inverse: "owns")])
    let task = Entity(name: "Task", parent: "Item")
    let person = Entity(
      name: "Person",
      relationships: [
        Relationship(name: "owns", destination: "Item", isToMany: true, inverse: "owner")
      ])
    var world = GraphContext(Graph(model: Model(entities: [item, task, person])))
    for entity in ["Person", "Item", "Task", "Task", "Task", "Person"] {
      _ = try world.insert([NewObject(entity: entity)])
    }
    let task4 = try #require(world.graph.find(ObjectID(entity: "Item", root: "Item", number: 4)))
    let object = world.snapshot.object(table: task4.table, row: task4.row)
    _ = try world.perform("update", in: context) { editor in
      try editor.set(
        NewValue("owns", .list([.object(ObjectReference(object))])),
        of: ObjectID(entity: "Person", root: "Person", number: 2))
    }
    return world
  }

  private func owning(_ destination: String, _ inverse: String?) -> Property {
    .relationship(
      Relationship(name: "owns", destination: destination, isToMany: true, inverse: inverse))
  }

  @Test("to another table names the linked objects, and no others")
  func otherTable() throws {
    let inverted = migration(try world().graph) {
      $0.setInverse(nil, of: "owner", in: "Item")
      $0.set(owning("Person", "owns"), of: "Person", isUnique: false)
    }
    #expect(
      problems(inverted) == [#"Person/2: "owns" is Task/4, which is not an object of Person"#])
    let alone = migration(try world().graph) {
      $0.setInverse(nil, of: "owner", in: "Item")
      $0.set(owning("Person", nil), of: "Person", isUnique: false)
    }
    #expect(problems(alone) == [#"Person/2: "owns" is Task/4, which is not an object of Person"#])
  }

  @Test("to a subentity keeps its objects and lists the others")
  func heir() throws {
    let fits = migration(try world().graph) {
      $0.setInverse(nil, of: "owner", in: "Item")
      $0.set(owning("Task", nil), of: "Person", isUnique: false)
    }
    #expect(values(try fits.graph(in: context), "Person", "owns") == ["", "Task/4"])
  }

  @Test("includes links of another entity's end with the name of the old inverse")
  func sameName() throws {
    // Person.owns and Item.owner are separated; Person.likes becomes the inverse of Item.owner.
    var graph = try world()
    let likes = Relationship(name: "likes", destination: "Item", isToMany: true)
    let added = migration(graph.graph) {
      $0.set(.relationship(likes), of: "Person", isUnique: false)
    }
    graph.changeModel("add", to: try added.graph(in: context))
    let item = graph.snapshot.object(table: 0, row: 0)
    _ = try graph.perform("update", in: context) { editor in
      try editor.set(
        NewValue("likes", .list([.object(ObjectReference(item))])),
        of: ObjectID(entity: "Person", root: "Person", number: 1))
    }
    let moved = migration(graph.graph) {
      $0.setInverse(nil, of: "owns", in: "Person")
      $0.setInverse("likes", of: "owner", in: "Item")
      $0.setInverse("owner", of: "likes", in: "Person")
    }
    let after = try moved.graph(in: context)
    #expect(values(after, "Person", "likes") == ["Item/1", "Task/4"])
    #expect(values(after, "Person", "owns") == ["", "Task/4"])
  }
}

@Suite("Subentities with a key of the same name")
struct SiblingKeyTests {
  @Test("have separate inverses")
  func inverses() throws {
    let item = Entity(name: "Item")
    let owner = { Relationship(name: "owner", destination: "Person", inverse: $0) }
    let model = Model(entities: [
      item, Entity(name: "Task", parent: "Item", relationships: [owner("tasks")]),
      Entity(name: "Memo", parent: "Item", relationships: [owner("memos")]),
      Entity(
        name: "Person",
        relationships: [
          Relationship(name: "tasks", destination: "Task", isToMany: true, inverse: "owner"),
          Relationship(name: "memos", destination: "Memo", isToMany: true, inverse: "owner"),
        ]),
    ])
    var world = GraphContext(Graph(model: model))
    _ = try world.insert([NewObject(entity: "Person")])
    let person = Value.object(ObjectReference(world.snapshot.object(table: 1, row: 0)))
    _ = try world.insert([NewObject(entity: "Task", values: [NewValue("owner", person)])])
    _ = try world.insert([NewObject(entity: "Memo", values: [NewValue("owner", person)])])
    #expect(values(world.graph, "Person", "tasks") == ["Task/1"])
    #expect(values(world.graph, "Person", "memos") == ["Memo/2"])
  }
}
