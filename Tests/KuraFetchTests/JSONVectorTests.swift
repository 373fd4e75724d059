import Foundation
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Keys of nested JSON, read as columns, compared with the reference evaluator, which parses the JSON of each row.
@Suite("Keys of nested JSON") struct JSONVectorTests {
  @Test("agree with the reference evaluator", arguments: [61, 62, 63] as [UInt64])
  func agree(seed: UInt64) throws {
    let world = try World(events: 400, seed: seed)
    var dice = Dice(seed &* 7919)
    let answered = try (0..<KernelTests.rounds * 2).count { _ in
      let text = dice.jsonComparison()
      guard (try? world.request("Event", where: text)) != nil else { return false }
      return try world.check("Event", text, seed)
    }
    #expect(answered > KernelTests.rounds, "\(answered)")
  }

  @Test("are ordered if each key has values of one kind", arguments: [64, 66] as [UInt64])
  func order(seed: UInt64) throws {
    let world = try World(events: 400, seed: seed)
    for key in ["body.n", "body.x", "body.ok", "body.name", "body.in.n", "body.in.name"] {
      let values = try world.snapshot.graph.tables[0].values(of: key)
      for isAscending in [true, false] {
        let tree = try PredicateParser(TokenCursor(SourceText(key), mode: .statement))
          .parseExpression()
        let sort = SortTree(tree, isAscending: isAscending)
        let found = try world.request("Event", sort: [sort]).run().rows.map { Int($0) }
        let sorted = values.indices.sorted { a, b in
          let order = sort.order(values[a], values[b])
          return order == .same ? a < b : order == .before
        }
        #expect(found == sorted, "seed \(seed): \(key)")
      }
    }
  }

  @Test(
    "need no access to single objects",
    arguments: [
      "body.in.n > 5", "body.name CONTAINS[c] \"A\"", "ANY body.tags == \"b\"", "body.ok == YES",
      "body.in.name == nil", "body.in == nil", "body.missing != nil", "(body.tags)[0] == \"b\"",
      "(body.parts)[LAST].n > 3", "body.x * 2 < 3", "NOT ALL body.tags == \"a\"",
      "body.tags.@count > 1", "count(body.parts) == 2", "body.parts.@avg.n > 3",
      "sum(body.parts.x) > body.parts.@max.n", "body.nums.@max.self > 5",
      "SUBQUERY(body.parts, $p, $p.n > n AND $p.name CONTAINS[c] \"a\").@count > 0",
      "SUBQUERY(body.tags, $t, $t == \"b\").@count == 1", "body.parts.@sum.(n * x) > 2",
      "body.tags CONTAINS \"b\"", "\"b\" IN body.tags", "3 IN body.nums",
    ])
  func methods(text: String) throws {
    let request = try World(events: 50, seed: 66).request("Event", where: text)
    #expect(!request.plan.filter.asksReference, "\(text): \(request.plan.filter)")
  }

  @Test(
    "that mix integers and doubles have the reference evaluator's aggregates",
    arguments: ["body.ok", "body.in.name", "length(body.name)"])
  func mixedNumbers(key: String) throws {
    let world = try World(events: 400, seed: 66)
    for text in [
      "sum(body.x)", "min(body.x)", "max(body.in.x)", "max(body.x * 2)", "sum(body.x + n)",
    ] {
      let request = try World.grouped(text, of: "Event", by: key)
        .bound(to: world.snapshot, world.environment)
      let aggregate = try #require(request.firstAggregate)
      let table = request.snapshot.graph.tables[request.place.table]
      let loops = ColumnAggregate.loops(aggregate, request, [table.liveRows(inChunk: 0)])
      #expect(loops != nil || text.contains(" "), "\(text)")
      let values = try request.valuesOfFirstAggregate()
      for (value, slow) in zip(values.engine, values.evaluator) {
        #expect(value.kind == slow.kind, "\(text) by \(key)")
        let (a, b) = (value.approximateNumber ?? 0, slow.approximateNumber ?? 0)
        #expect(abs(a - b) <= 1e-12 * max(1, abs(b)), "\(text) by \(key)")
      }
    }
  }

  @Test(
    "have the reference evaluator's values and kinds in a select", arguments: [68, 70] as [UInt64])
  func selected(seed: UInt64) throws {
    let world = try World(events: 400, seed: seed)
    var dice = Dice(seed)
    var answered = 0
    for _ in 0..<KernelTests.rounds / 2 {
      let text = dice.chance(0.3) ? dice.jsonNumber() : dice.jsonList()
      let tree = try World.parseExpression(text)
      // In a select, `count(body.tags)` is an aggregate of all objects.
      if case .function = tree.kind { continue }
      guard let values = try? world.evaluated(tree, "Event") else { continue }
      try world.checkShown(tree, values, of: "Event", "seed \(seed): \(text)")
      answered += 1
    }
    #expect(answered > KernelTests.rounds / 4, "\(answered)")
  }

  @Test("compare with literals of another kind", arguments: 1...3 as ClosedRange<UInt64>)
  func otherKinds(seed: UInt64) throws {
    var dice = Dice(seed)
    let share = [0.1, 0.5, 0.9][Int(seed) - 1]
    var context = GraphContext(Graph(model: World.eventModel))
    _ = try context.insert(
      (0..<200).map { _ in
        let value: Value =
          if dice.chance(0.1) {
            dice.pick([.null, .boolean(true), .list([1]), .dictionary(ValueDictionary([]))])
          } else if dice.chance(share) {
            dice.pick([.integer(1), .integer(3), .double(2.5)])
          } else {
            .string(dice.pick(["1", "cold", "Cold", "2.5", ""]))
          }
        let body = ValueDictionary([("v", value)])
        return NewObject(entity: "Event", values: [NewValue("body", .dictionary(body))])
      })
    var world = try World(items: 1)
    world.snapshot = context.snapshot
    for operation in ["==", "!=", "<", "<=", ">", ">=", "==[c]", "!=[c]", "<[cd]"] {
      for literal in ["1", "2.5", "\"cold\"", "\"1\"", "3.0"] {
        let text = "body.v \(operation) \(literal)"
        #expect(try world.check("Event", text, seed), "\(text)")
        #expect(try world.check("Event", "NOT \(text)", seed), "\(text)")
        if operation.hasPrefix("<") || operation.hasPrefix(">") { continue }
        #expect(!(try world.request("Event", where: text).plan.filter.asksReference), "\(text)")
      }
    }
    let truths = try World(events: 400, seed: 66)
    for text in ["body.ok == 1", "body.ok != 0", "body.ok IN {1, 2}", "body.ok == \"x\""] {
      #expect(try truths.check("Event", text, seed), "\(text)")
    }
    for text in [
      "body.v IN {1, 2.5}", "body.v IN {\"cold\", \"1\"}", "body.v IN[c] {\"COLD\"}",
      "NOT body.v IN {\"x\"}", "body.v IN {1, \"1\"}",
    ] {
      #expect(try world.check("Event", text, seed), "\(text)")
    }
  }

  @Test("add integers among doubles exactly")
  func largeIntegers() throws {
    let most: Int64 = 1 << 53
    let lists: [[Value]] = [
      [.integer(most), .integer(1), .integer(-most)], [.double(0.5)],
      [.integer(3), .double(1e300)],
    ]
    var context = GraphContext(Graph(model: World.eventModel))
    _ = try context.insert(
      lists.map { list in
        let body = ValueDictionary([("nums", .list(list))])
        return NewObject(entity: "Event", values: [NewValue("body", .dictionary(body))])
      })
    var world = try World(items: 1)
    world.snapshot = context.snapshot
    for text in ["body.nums.@sum.self == 1", "body.nums.@avg.self > 0.4", "sum(body.nums) > 2"] {
      #expect(try world.check("Event", text, 0))
    }
    #expect(try world.fetch("Event", where: "body.nums.@sum.self == 1").count == 1)
  }

  @Test("are read again after a change")
  func changed() throws {
    var context = GraphContext(Graph(model: World.eventModel))
    let body = ValueDictionary([("n", .integer(1))])
    let id = try context.insert([
      NewObject(entity: "Event", values: [NewValue("body", .dictionary(body))])
    ])
    var world = try World(items: 1)
    world.snapshot = context.snapshot
    #expect(try world.fetch("Event", where: "body.n == 1").count == 1)
    let other = ValueDictionary([("n", .integer(2))])
    _ = try context.perform("change", in: world.environment.evaluation) { editor in
      try editor.set(NewValue("body", .dictionary(other)), of: id[0])
    }
    world.snapshot = context.snapshot
    #expect(try world.fetch("Event", where: "body.n == 1").isEmpty)
    #expect(try world.fetch("Event", where: "body.n == 2").count == 1)
  }
}

extension World {
  static let eventModel = Model(entities: [
    Entity(
      name: "Event",
      attributes: [
        Attribute(name: "body", type: .json, isOptional: true),
        Attribute(name: "n", type: .integer, isOptional: true),
      ])
  ])

  /// Creates events with JSON in which keys are missing, and some values have an unusual type.
  init(events: Int, seed: UInt64) throws {
    try self.init(items: 1)
    var dice = Dice(seed)
    let oddity = seed % 2 == 0 ? 0 : 0.05
    var context = GraphContext(Graph(model: World.eventModel))
    let objects = (0..<events).map { i in
      NewObject(
        entity: "Event",
        values: [NewValue("body", dice.body(oddity)), NewValue("n", .integer(Int64(i)))])
    }
    _ = try context.insert(objects)
    snapshot = context.snapshot
  }
}

extension Table {
  fileprivate func values(of path: String) throws -> [Value] {
    let keys = path.split(separator: ".").dropFirst()
    return (0..<count).map { row in
      keys.reduce(columns[0].value(row)) { value, key in
        value.dictionaryValue?[String(key)] ?? .null
      }
    }
  }
}

extension SortTree {
  fileprivate func order(_ a: Value, _ b: Value) -> ValueOrder {
    if a.isNull || b.isNull {
      if a.isNull && b.isNull { return .same }
      return a.isNull == putsNullsFirst ? .before : .after
    }
    let order = Value.sortOrder(a, b)
    return isAscending ? order : order.reversed
  }
}

extension Dice {
  fileprivate mutating func body(_ oddity: Double) -> Value {
    if chance(oddity) { return odd() }
    var members = scalars(oddity)
    if chance(0.8) {
      let inner = ValueDictionary(scalars(oddity))
      members.append(("in", chance(oddity) ? odd() : .dictionary(inner)))
    }
    if chance(0.7) {
      let tags = (0..<below(4)).map { _ in chance(oddity) ? odd() : Value.string(word()) }
      members.append(("tags", .list(tags)))
    }
    if chance(0.7) {
      let numbers = (0..<below(4)).map { _ in
        chance(oddity) ? odd() : chance(0.1) ? .null : Value.integer(Int64(below(9)) - 2)
      }
      members.append(("nums", .list(numbers)))
    }
    if chance(0.7) {
      let parts = (0..<below(3)).map { _ in Value.dictionary(ValueDictionary(scalars(oddity))) }
      members.append(("parts", .list(parts)))
    }
    return .dictionary(ValueDictionary(members))
  }

  private mutating func scalars(_ oddity: Double) -> [(String, Value)] {
    let all: [(String, Value)] = [
      ("n", .integer(Int64(below(20)) - 6)), ("x", chance(0.4) ? .integer(1) : .double(number())),
      ("ok", .boolean(chance(0.5))), ("name", .string(word())),
    ]
    var members: [(String, Value)] = []
    for (key, value) in all where chance(0.85) {
      members.append((key, chance(oddity) ? odd() : chance(0.05) ? .null : value))
    }
    return members
  }

  private mutating func number() -> Double {
    pick([0.5, -1.25, 3.0, 1e300, 123456.75, 0.1, -0.0, 1e-7])
  }

  private mutating func word() -> String {
    pick([
      "a", "b", "A", "父", "Café", "が", "か\u{3099}", "a\"b", "c\\d", "line\nline", "", "{\"n\":1}",
    ])
  }

  private mutating func odd() -> Value {
    pick([
      .integer(.max), .string("7"), .list([1, 2]), .boolean(true), .double(2.5), .null,
      .dictionary(ValueDictionary([("n", .integer(3))])), .decimal(Decimal(string: "1e25") ?? 0),
    ])
  }

  fileprivate mutating func jsonComparison() -> String {
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    let number = pick(["0", "1", "-2", "0.5", "3.0", "nil", "9223372036854775807", "YES"])
    let text = pick(["\"a\"", "\"A\"", "\"b\"", "\"が\"", "\"\"", "\"line\"", "\"\\\"\"", "\"7\""])
    let search =
      pick(["==", "!=", "<", "CONTAINS", "BEGINSWITH", "ENDSWITH"])
      + pick(["", "", "[c]", "[cd]", "[d]", "[n]"])
    switch below(15) {
    case 11: return "\(jsonList()) \(order) \(number)"
    case 12: return "\(jsonList()) \(order) \(pick([jsonList(), jsonNumber(), "n"]))"
    case 13: return pick(["\(text) IN body.tags", "body.tags CONTAINS[c] \(text)"])
    case 14: return pick(["\(number) IN body.nums", "body.nums CONTAINS \(number)"])
    case 9: return "\(jsonPart()) \(pick(["==", "!="])) nil"
    case 10: return "\(pick(["(body.tags)[0]", "(body.parts)[LAST].name"])) \(search) \(text)"
    case 0: return "\(jsonNumber()) \(order) \(number)"
    case 1: return "\(jsonNumber()) * 2 + n \(order) \(jsonNumber())"
    case 2: return "body.\(pick(["name", "in.name"])) \(search) \(text)"
    case 3: return "\(pick(["ANY", "ALL", "NONE"])) body.tags \(search) \(text)"
    case 4: return "\(pick(["ANY", "ALL", "NONE"])) body.parts.n \(order) \(number)"
    case 5: return "\(pick(["ANY", "ALL"])) body.parts.name \(search) \(text)"
    case 6: return "body.name IN\(pick(["", "[c]", "[cd]"])) {\(text), \"b\", nil, \"Café\"}"
    case 7: return "\(pick(["body.ok", "body.in.ok"])) == \(pick(["YES", "NO", "nil", "1"]))"
    default: return "\(jsonNumber()) IN {1, 0.5, nil, \(number)} OR body.name == \(text)"
    }
  }

  /// An aggregate of a list.
  fileprivate mutating func jsonList() -> String {
    let operation = pick(["sum", "avg", "min", "max"])
    let key = pick(["n", "x"])
    let test = pick([
      "$p.n > 3", "$p.\(key) < n AND $p.ok == YES", "$p.name CONTAINS[cd] \"a\"", "$p.n == nil",
      "$p.x > $p.n", "$p.n IN {1, 2, 3} OR body.n > 3",
    ])
    return pick([
      "body.tags.@count", "body.parts.@count", "count(body.tags)", "body.parts.count",
      "body.parts.@\(operation).\(key)",
      "\(operation == "avg" ? "average" : operation)(body.parts.\(key))",
      "body.nums.@\(operation).self", "SUBQUERY(body.parts, $p, \(test)).@count",
      "SUBQUERY(body.parts, $p, \(test)).@\(operation).\(key)",
      "SUBQUERY(body.tags, $t, $t == \"b\").@count", "body.parts.@\(operation).(n * x)",
      "SUBQUERY(body.nums, $p, $p > 1).@\(operation).self", "sum(body.nums)",
    ])
  }

  fileprivate mutating func jsonNumber() -> String {
    pick([
      "body.n", "body.x", "body.in.n", "body.in.x", "length(body.name)", "body.missing",
      "(body.parts)[0].n", "(body.parts)[2].x", "(body.parts)[LAST].n",
    ])
  }

  private mutating func jsonPart() -> String {
    pick([
      "body.in", "body.tags", "body.parts", "body.in.name", "body.missing", "body.missing.n",
      "(body.tags)[1]", "(body.parts)[FIRST]", "(body.parts)[1].missing",
    ])
  }
}
