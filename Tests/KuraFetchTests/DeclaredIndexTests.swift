import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// The same objects with and without indexes, under the same changes.
struct IndexedPair {
  var dice: SeededNumbers
  /// The first one has the indexes.
  var contexts: [GraphContext]

  private static let attributes = [
    Attribute(name: "title", type: .string, isOptional: true),
    Attribute(name: "kind", type: .string, isOptional: true),
    Attribute(name: "n", type: .integer, isOptional: true),
    Attribute(name: "price", type: .double, isOptional: true),
    Attribute(name: "day", type: .date, isOptional: true),
    Attribute(name: "done", type: .boolean, isOptional: true),
    Attribute(name: "few", type: .integer, isOptional: true),
  ]

  static let indexes = [
    FetchIndex("title"), FetchIndex("n", .descending("day")), FetchIndex(.descending("price")),
    FetchIndex("day"), FetchIndex("kind", "n"), FetchIndex(.descending("done"), "title"),
    FetchIndex("few", "n"), FetchIndex(.descending("few"), .descending("day")),
  ]

  static func model(_ indexes: [FetchIndex], _ own: [FetchIndex] = []) -> Model {
    Model(entities: [
      Entity(name: "Thing", attributes: attributes, indexes: indexes),
      Entity(
        name: "Deed", parent: "Thing",
        attributes: [Attribute(name: "rank", type: .integer, isOptional: true)], indexes: own),
    ])
  }

  init(_ seed: UInt64, objects: Int) throws {
    dice = SeededNumbers(seed: seed)
    contexts = [Self.model(Self.indexes, [FetchIndex("rank")]), Self.model([])].map {
      GraphContext(Graph(model: $0))
    }
    try insert(objects)
  }
}

// Values
extension IndexedPair {
  private mutating func value(of key: String) -> Value {
    if dice.below(6) == 0 { return .null }
    return switch key {
    case "title": .string(dice.pick(Self.texts) + (dice.flip() ? "" : "\(dice.below(400))"))
    case "kind": .string(dice.pick(Self.texts))
    case "n", "rank": .integer(dice.pick([0, -1, 3, .max, .min, Int64(dice.below(200)) - 100]))
    case "price":
      .double(dice.pick([0, -0.0, 1.5, -.infinity, .infinity, Double(dice.below(300)) / 4]))
    case "day": .date(Timestamp(microseconds: Int64(dice.below(500)) * 86_400_000_000 - 1 << 50))
    case "few": .integer(Int64(dice.below(6)))
    default: .boolean(dice.flip())
    }
  }

  private static let texts = [
    "", "x", "誕生日", "誕", "Café", "cafe", "e\u{301}", "é", "ガ", "𠮷", "zz", "ｶﾞ", "a b", "\u{200B}x",
  ]

  private mutating func values(of entity: String) -> [NewValue] {
    let keys =
      ["title", "kind", "n", "price", "day", "done", "few"] + (entity == "Deed" ? ["rank"] : [])
    return keys.map { NewValue($0, value(of: $0)) }
  }

  mutating func insert(_ count: Int) throws {
    let objects = (0..<count).map { _ in
      let entity = dice.below(4) == 0 ? "Deed" : "Thing"
      return NewObject(entity: entity, values: values(of: entity))
    }
    for i in contexts.indices { _ = try contexts[i].insert(objects) }
  }

  /// Makes a few changes in one step, or undoes a step.
  mutating func change() throws {
    let ids = contexts[0].graph.objectIDs(of: "Thing")
    // Undoing can remove all objects.
    if ids.isEmpty { return try insert(100) }
    switch dice.below(6) {
    case 0: try insert(1 + dice.below(20))
    case 1: for i in contexts.indices { _ = try contexts[i].undo() }
    case 2: for i in contexts.indices { _ = try contexts[i].redo() }
    case 3:
      let gone = (0..<dice.below(10)).map { _ in dice.pick(ids) }
      try edit { editor in try editor.delete(gone) }
    default:
      let changes = (0..<1 + dice.below(dice.below(8) == 0 ? 600 : 12)).map { _ in
        let key = dice.pick(["title", "kind", "n", "price", "day", "done", "few"])
        return (dice.pick(ids), NewValue(key, value(of: key)))
      }
      try edit { editor in for (id, value) in changes { try editor.set(value, of: id) } }
    }
  }

  private mutating func edit(_ body: (inout GraphEditor) throws -> Void) throws {
    for i in contexts.indices {
      _ = try contexts[i].perform("edit", in: EvaluationContext(nilArithmeticIsNil: true), body)
    }
  }
}

// Queries
extension IndexedPair {
  private mutating func text() -> String { "\"\(dice.pick(Self.texts))\"" }

  private mutating func number() -> String {
    dice.pick(["0", "3", "-1", "1.5", "2.25", "\(dice.below(300) - 100)", "9223372036854775807"])
  }

  private mutating func comparison() -> String {
    let order = dice.pick(["==", "<", "<=", ">", ">=", "!="])
    switch dice.below(11) {
    case 0: return "title \(order) \(text())"
    case 1: return "title BEGINSWITH \(text())"
    case 2: return "\(dice.pick(["title", "kind"])) IN {\(text()), nil, \(text())}"
    case 3: return "\(dice.pick(["title", "kind"])) BETWEEN {\(text()), \(text())}"
    case 4: return "n \(order) \(number())"
    case 5: return "price \(order) \(number())"
    case 6: return "\(dice.pick(["n", "price"])) BETWEEN {\(number()), \(number())}"
    case 7: return "few \(order) \(dice.below(6))"
    // Computed once for each value of the key.
    case 8: return "TERNARY(few \(order) \(dice.below(6)), n, kind.length) > \(number())"
    case 9: return "day \(order) \"\(1934 + dice.below(3))-0\(1 + dice.below(9))-11\""
    default:
      return dice.pick([
        "done == YES", "n IN {3, -1, 77, nil}", "kind == \(text())", "title ==[c] \(text())",
      ])
    }
  }

  private mutating func predicate() -> String {
    switch dice.below(5) {
    case 0: "\(comparison()) AND \(comparison())"
    case 1: "\(comparison()) OR \(comparison())"
    case 2: "NOT \(comparison())"
    default: comparison()
    }
  }

  mutating func question() -> String {
    let entity = dice.pick(["Thing", "Thing", "Deed", "Thing without subentities"])
    let condition = dice.below(4) == 0 ? "" : " where \(predicate())"
    let sorts = [
      "", "sort title", "sort title desc", "sort n, day desc", "sort n desc, day, objectID",
      "sort price",
      "sort price desc", "sort day desc", "sort kind, n", "sort kind desc, n desc",
      "sort done, title desc",
      "sort done desc, title", "sort title nulls last", "sort day, objectID desc", "sort n",
      "sort title[c]", "sort few, n", "sort few desc, day desc", "sort TERNARY(few == 1, 0, 1), n",
      "sort TERNARY(few == \(dice.below(6)), n, 0) desc, title",
    ]
    let limits = ["", "limit 5", "limit 300", "offset 7 limit 20", "offset 900 limit 3", "limit 0"]
    return "\(entity)\(condition) \(dice.pick(sorts)) \(dice.pick(limits))"
  }

  func answer(_ text: String, _ context: Int) throws -> [Int64] {
    let environment = FetchEnvironment(now: Timestamp(microseconds: 0))
    let tree = try WatchedWorld.fetch(text)
    let request = try tree.bound(to: contexts[context].snapshot, environment)
    let result = try request.run()
    let table = contexts[context].graph.tables[result.table]
    return result.rows.map { table.identifiers[Int($0)] }
  }
}

@Suite("Indexes that a model declares")
struct DeclaredIndexTests {
  /// The number of walks with several hundred queries each.
  static let rounds = TestLength.count(3, long: 200)

  @Test(
    "give the same results as without them, while objects change",
    arguments: 1...UInt64(rounds))
  func answers(seed: UInt64) throws {
    var pair = try IndexedPair(
      seed, objects: seed == 1 ? ColumnChunk.capacity + 900 : 700)
    for round in 0..<(seed == 1 ? 10 : 40) {
      for _ in 0..<8 {
        let text = pair.question()
        #expect(
          try pair.answer(text, 0) == pair.answer(text, 1),
          "seed \(seed), round \(round): \(text)")
      }
      try pair.change()
    }
  }

  @Test(
    "are used if few objects can match",
    arguments: [
      ("title == \"zz7\"", "index of title"), ("title BEGINSWITH \"zz39\"", "begins"),
      ("n == 77", "index of n, day"), ("price > 74", "index of price"),
      ("day < \"1934-04-28\"", "index of day"), ("n > -50", "range over n"),
      ("kind == \"x\"", "equals"), ("title ==[c] \"zz7\"", "equals"),
    ])
  func methods(_ text: String, _ method: String) throws {
    var pair = try IndexedPair(7, objects: 3000)
    try pair.change()
    let tree = try WatchedWorld.fetch("Thing where \(text)")
    let request = try tree.bound(
      to: pair.contexts[0].snapshot, FetchEnvironment(now: Timestamp(microseconds: 0)))
    #expect(request.plan.filter.method.contains(method), "\(request.plan.filter.method)")
  }

  @Test("are used for the beginnings of texts if bytes decide")
  func prefixes() throws {
    let model = Model(entities: [
      Entity(
        name: "Word", attributes: [Attribute(name: "text", type: .string)],
        indexes: [FetchIndex("text")])
    ])
    var context = GraphContext(Graph(model: model))
    func insert(_ texts: [String]) throws {
      _ = try context.insert(
        texts.map { NewObject(entity: "Word", values: [NewValue("text", .string($0))]) })
    }
    func filter() throws -> BoundRequest {
      try WatchedWorld.fetch("Word where text BEGINSWITH \"誕生 7\"").bound(
        to: context.snapshot, FetchEnvironment(now: Timestamp(microseconds: 0)))
    }
    try insert((0..<300).map { "\($0.isMultiple(of: 2) ? "誕生" : "Café") \($0)" })
    #expect(try filter().plan.filter.method == "kernel: index of text")
    #expect(try filter().count() == 5)
    try insert(["誕生 7\u{200B}"])
    #expect(try filter().plan.filter.method == "kernel: begins, searching the bytes of text")
    #expect(try filter().count() == 6)
  }
}
