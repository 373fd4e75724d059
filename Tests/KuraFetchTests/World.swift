import Foundation
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

@testable import KuraFetch

/// A small graph with every type of attribute, inheritance and relationships.
struct World {
  var snapshot: GraphSnapshot
  var environment = FetchEnvironment(
    variables: ["who": .string("誕生"), "day": .string("2001-01-01"), "many": .list([1, 3, 5])],
    now: Timestamp(microseconds: 1_000_000_000_000_000), rules: .utc)

  static let model = Model(entities: [
    Entity(
      name: "Base", isAbstract: true,
      attributes: [Attribute(name: "note", type: .string, isOptional: true)]),
    Entity(
      name: "Item", parent: "Base",
      attributes: [
        Attribute(name: "title", type: .string),
        Attribute(name: "kind", type: .string, isOptional: true),
        Attribute(name: "count", type: .integer, isOptional: true),
        Attribute(name: "price", type: .double, isOptional: true),
        Attribute(name: "exact", type: .decimal, isOptional: true),
        Attribute(name: "day", type: .date, isOptional: true),
        Attribute(name: "done", type: .boolean, defaultValue: .boolean(false)),
        Attribute(name: "extra", type: .json, isOptional: true),
        Attribute(name: "key", type: .uuid, isOptional: true),
        Attribute(name: "code", type: .string, isOptional: true),
        Attribute(name: "serial", type: .integer, isOptional: true),
        Attribute(name: "link", type: .uri, isOptional: true),
      ],
      relationships: [
        Relationship(name: "home", destination: "Category", inverse: "items"),
        Relationship(name: "tags", destination: "Tag", isToMany: true, inverse: "items"),
      ], uniquenessConstraints: [["key"], ["code"], ["serial"]]),
    Entity(name: "Task", parent: "Item", attributes: [Attribute(name: "rank", type: .integer)]),
    Entity(
      name: "Category", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "items", destination: "Item", isToMany: true, inverse: "home"),
        Relationship(name: "parent", destination: "Category", inverse: "children"),
        Relationship(
          name: "children", destination: "Category", isToMany: true, inverse: "parent"),
      ]),
    Entity(
      name: "Tag", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "items", destination: "Item", isToMany: true, inverse: "tags")
      ]),
    Entity(
      name: "limit", attributes: [Attribute(name: "NO", type: .boolean, isOptional: true)]),
  ])

  init(_ snapshot: GraphSnapshot) { self.snapshot = snapshot }

  init(seed: UInt64 = 1, items: Int = 300) throws {
    var dice = Dice(seed)
    var context = GraphContext(Graph(model: World.model))
    let homes = try World.insertHomes(&context)
    let tags = try context.insert((1...5).map { World.named("Tag", "tag\($0)") })
    let objects = (0..<items).map { World.item($0, homes, tags, context.graph, &dice) }
    _ = try context.insert(objects)
    _ = try context.insert([NewObject(entity: "limit")])
    snapshot = context.snapshot
  }

  /// Inserts seven categories: the first without a parent, each other with an earlier one.
  private static func insertHomes(_ context: inout GraphContext) throws -> [ObjectID] {
    var homes: [ObjectID] = []
    for number in 1...7 {
      var home = World.named("Category", "分類 \(number)")
      if number > 1, let place = context.graph.find(homes[(number - 2) / 2]) {
        let parent = context.snapshot.object(table: place.table, row: place.row)
        home.values.append(NewValue("parent", .object(ObjectReference(parent))))
      }
      homes += try context.insert([home])
    }
    return homes
  }

  /// Returns a UUID that contains a number.
  static func key(_ i: Int) -> UUID {
    let high = UInt8(truncatingIfNeeded: i >> 8)
    return UUID(
      uuid: (10, 11, 12, 13, 14, 15, 0x40, 0, 0x80, 0, 0, 0, 0, 0, high, UInt8(i & 0xFF)))
  }

  private static func named(_ entity: String, _ name: String) -> NewObject {
    NewObject(entity: entity, values: [NewValue("name", .string(name))])
  }

  private static func item(
    _ i: Int, _ homes: [ObjectID], _ tags: [ObjectID], _ graph: Graph, _ dice: inout Dice
  ) -> NewObject {
    let isTask = dice.chance(0.3)
    var values = [
      NewValue("title", .string(dice.title(i))), NewValue("done", .boolean(dice.chance(0.5))),
    ]
    if isTask { values.append(NewValue("rank", .integer(Int64(dice.below(9))))) }
    let snapshot = GraphSnapshot(graph)
    func object(_ id: ObjectID) -> Value {
      guard let place = graph.find(id) else { return .null }
      return .object(ObjectReference(snapshot.object(table: place.table, row: place.row)))
    }
    let optional: [(String, Value)] = [
      ("kind", .string(dice.pick(["Private", "Office", "café", "が", "か\u{3099}", ""]))),
      ("count", .integer(Int64(dice.below(11)) - 5)), ("price", .double(Double(dice.below(9)) / 2)),
      ("exact", .decimal(Decimal(dice.below(7)) / 10)),
      ("day", .date(Timestamp(microseconds: Int64(dice.below(40)) * 86_400_000_000 * 400))),
      (
        "extra",
        dice.pick([
          .integer(3), .string("x"), .list([1, 2]),
          .dictionary(ValueDictionary([("city", .string("Kobe"))])),
        ])
      ),
      ("key", .uuid(World.key(i))), ("code", .string("が \(i)")), ("serial", .integer(Int64(i * 3))),
      (
        "link",
        .uri(
          dice.pick(["http://x.jp", "mailto:y", "http://x.jp/が", "https://x.jp:8080/a?b=1#c"]))
      ),
      ("note", .string(dice.title(i))), ("home", object(dice.pick(homes))),
      ("tags", .list(tags.filter { _ in dice.chance(0.4) }.map(object))),
    ]
    for (key, value) in optional where dice.chance(0.8) { values.append(NewValue(key, value)) }
    return NewObject(entity: isTask ? "Task" : "Item", values: values)
  }
}

extension World {
  /// The same objects in columns that store only the rows with a value.
  var sparsified: World {
    var (result, graph) = (self, snapshot.graph)
    for table in graph.tables.indices {
      for column in graph.tables[table].columns.indices {
        guard case .attribute = graph.tables[table].columns[column].kind else { continue }
        graph.tables[table].columns[column].chunks = graph.tables[table].columns[column].chunks
          .map { $0.sparsified(ifAtMost: $0.count) }
      }
    }
    result.snapshot = GraphSnapshot(graph)
    return result
  }

  func request(
    _ entity: String, where predicate: String? = nil, sort: [SortTree] = [], limit: Int? = nil,
    offset: Int? = nil
  ) throws -> BoundRequest {
    func number(_ value: Int?) -> ExpressionTree? {
      value.map { ExpressionTree(.constant(Constant(.integer(Int64($0))))) }
    }
    var fetch = FetchTree(of: FetchSource(.entity(entity)))
    fetch.predicate = try predicate.map(World.parse)
    fetch.sort = sort
    fetch.offset = number(offset)
    fetch.limit = number(limit)
    return try fetch.bound(to: snapshot, environment)
  }

  /// Returns an expression as it is checked in a fetch of an entity.
  func expression(_ text: String, of entity: String = "Item") throws -> ExpressionTree {
    let context = CheckContext(snapshot.graph.model, evaluation: environment.evaluation)
    return try World.parseExpression(text).checked(in: context, of: entity).tree.tree
  }

  /// Parses a predicate as in a statement, where `Item/7` is an object.
  static func parse(_ text: String) throws -> PredicateTree {
    let cursor = TokenCursor(SourceText(text), mode: .statement)
    let parser = PredicateParser(cursor)
    return try parser.parsePredicate()
  }

  /// Returns the objectIDs that a fetch finds.
  func fetch(
    _ entity: String, where predicate: String? = nil, sort: [SortTree] = [], limit: Int? = nil,
    offset: Int? = nil
  ) throws -> [Int64] {
    let result = try request(entity, where: predicate, sort: sort, limit: limit, offset: offset)
      .run()
    return result.rows.map { snapshot.graph.tables[result.table].identifiers[Int($0)] }
  }

  /// Returns the sentence of the error that binding throws, and the text of its span.
  func failure(_ entity: String, _ predicate: String) -> (sentence: String, place: String)? {
    do {
      _ = try request(entity, where: predicate)
      return nil
    } catch let error as Diagnostic {
      let source = SourceText(predicate)
      return (error.facts.sentence, error.span.map { source.text($0) } ?? "")
    } catch {
      return ("\(error)", "")
    }
  }
}

/// Random numbers that are the same for the same seed.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ count: Int) -> Int { Int(next() >> 11) % count }
  mutating func chance(_ probability: Double) -> Bool {
    Double(next() >> 11) / Double(1 << 53) < probability
  }
  mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  mutating func title(_ i: Int) -> String {
    pick([
      "父の誕生日", "Café meeting", "会社の創立記念日", "ÅNGSTRÖM", "ｶﾞｷﾞ", "ガギ", "か\u{3099}っこう",
      "𠮷野家", "naïve plan", "x", "", "誕\u{3099}生", "STRASSE", "straße", "👨‍👩‍👧 family",
      "  盆　踊り　", "\u{A0}İstanbul\n", "ΐ ǆ ﬁ ẞ", "e\u{301}te\r\n", "Ünïcode ế", "分類", "42", "-7.5",
    ]) + (chance(0.5) ? " \(i)" : "")
  }
}
