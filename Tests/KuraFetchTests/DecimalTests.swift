import Foundation
import KuraChecking
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Generated expressions of decimals, which the engine reads as scaled integers, compared with the
/// reference evaluator for each object.
@Suite("Decimals") struct DecimalTests {
  private static let rounds = KernelTests.rounds / 2

  private func each(
    _ seed: UInt64, _ shapes: [DecimalWorld.Shape] = DecimalWorld.Shape.allCases,
    _ body: (World, inout SeededNumbers, String) throws -> Void
  ) throws {
    for shape in shapes {
      var numbers = SeededNumbers(seed: seed)
      let world = try DecimalWorld(shape, 300).world(&numbers)
      try body(world, &numbers, "seed \(seed) \(shape)")
    }
  }

  @Test(
    "are compared as the reference evaluator compares them", arguments: 1...2 as ClosedRange<UInt64>
  )
  func comparisons(seed: UInt64) throws {
    try each(seed) { world, numbers, what in
      var answered = 0
      for _ in 0..<Self.rounds {
        let text = numbers.decimalComparison()
        guard (try? world.request("Sale", where: text)) != nil else { continue }
        if try world.check("Sale", text, seed) { answered += 1 }
      }
      #expect(answered > Self.rounds / 4, "\(what) \(answered)")
    }
  }

  @Test("of a to-many are summed as by the reference evaluator", arguments: [4, 5] as [UInt64])
  func owners(seed: UInt64) throws {
    try each(seed) { world, numbers, what in
      for _ in 0..<Self.rounds / 2 {
        let text = numbers.ownerComparison()
        guard (try? world.request("Owner", where: text)) != nil else { continue }
        _ = try world.check("Owner", text, seed)
      }
    }
  }

  @Test(
    "of the other objects of an owner are compared as by the reference evaluator",
    arguments: [
      "ANY owner.sales.price > 0", "ALL owner.sales.price > 0", "NONE owner.sales.cost < -1",
      "ALL owner.sales.rate != 1", "NOT (ANY owner.sales.rate >= 2)",
    ])
  func peers(text: String) throws {
    try each(3) { world, _, _ in _ = try world.check("Sale", text, 3) }
  }

  private static let keys = [
    "price", "cost", "rate", "owner.limit", "coalesce(owner.limit, 1)", "owner.limit * 1",
    "owner.sales.@max.price",
  ]

  @Test("are shown, sorted and grouped by value", arguments: [6, 7] as [UInt64])
  func columns(seed: UInt64) throws {
    try each(seed) { world, numbers, what in
      for _ in 0..<Self.rounds / 4 {
        let text = numbers.oneIn(3) ? numbers.pick(Self.keys) : numbers.decimal(2)
        guard let tree = try? World.parseExpression(text),
          let values = try? world.evaluated(tree, "Sale"),
          // A literal beside a decimal must be one, too.
          (try? world.request("Sale", sort: [SortTree(tree, isAscending: true)])) != nil
        else { continue }
        try world.checkShown(tree, values, "\(what): \(text)")
        try world.checkSorted(tree, values, "\(what): \(text)")
        try world.checkGrouped(tree, values, "\(what): \(text)")
      }
    }
  }

  @Test("have the aggregates of the reference evaluator in each group", arguments: [8] as [UInt64])
  func aggregates(seed: UInt64) throws {
    let functions = [
      "sum", "average", "min", "max", "count", "median", "countDistinct",
      "percentile", "mode",
    ]
    // The long form tests every function with every text and every key.
    let functionsEach = TestLength.count(2, long: functions.count)
    var next = 0
    try each(seed) { world, numbers, what in
      for key in ["kind", "owner.name", "cost", nil] {
        for text in [
          "price", "cost", "rate", "price * quantity", "price - cost", numbers.decimal(1),
          "coalesce(cost, 0)", "coalesce(weight, quantity)", "coalesce(quantity, weight, 1)",
          "TERNARY(kind == \"a\", price, quantity)", "TERNARY(kind == \"b\", 0, weight)",
          "owner.sales.@sum.price", "owner.sales.@avg.weight", "coalesce(weight, 0) + quantity",
        ] {
          for _ in 0..<functionsEach {
            let function = functions[next % functions.count]
            let share = function == "percentile" ? ", 75" : ""
            try world.checkAggregate("\(function)(\(text)\(share))", by: key, what)
            next += 1
          }
        }
      }
    }
  }

  @Test(
    "turn the order of doubles if they are negative factors",
    arguments: [
      "weight * CAST(\"-2.5\", \"NSDecimalNumber\") > 3",
      "weight / CAST(\"-2.5\", \"NSDecimalNumber\") <= 1",
    ])
  func negativeFactors(text: String) throws {
    try each(14, [.money]) { world, _, _ in _ = try world.check("Sale", text, 14) }
  }

  @Test("have one scale across chunks with several")
  func chunks() throws {
    var numbers = SeededNumbers(seed: 10)
    let world = try DecimalWorld(.places, ColumnChunk.capacity + 200).world(&numbers)
    for text in ["price", "price + rate"] {
      let tree = try World.parseExpression(text)
      let values = try world.evaluated(tree, "Sale")
      try world.checkSorted(tree, values, text)
      try world.checkGrouped(tree, values, text)
    }
    for text in ["price > 1.25", "price < cost", "price IN {0.5, 1, 2.25}", "rate == price"] {
      #expect(try world.check("Sale", text, 10))
    }
    for text in ["sales.@sum.price > 10.5", "sales.@max.rate > 2.5"] {
      #expect(try world.check("Owner", text, 10))
    }
    try world.checkAggregate("sum(price)", by: "kind", "chunks")
    try world.checkAggregate("average(price * rate)", by: nil, "chunks")
  }

  @Test(
    "are combined with arithmetic of literals as with its decimal result",
    arguments: [
      ("price * (1 + 0.5)", "price * 1.5"), ("price * (0.1 + 0.2)", "price * 0.3"),
      ("0.7 - 0.1 * -6 - price", "1.3 - price"), ("-(0.1) * price", "-0.1 * price"),
      ("price * TERNARY(kind == \"a\", 0.1 + 0.2, 1)", "price * TERNARY(kind == \"a\", 0.3, 1)"),
      ("coalesce(price, 0.1 + 0.2)", "coalesce(price, 0.3)"), ("price / (3 / 2)", "price / 1"),
      ("max({price, 0.1 + 0.2, 1 + 0.5})", "max({price, 0.3, 1.5})"),
      ("TERNARY(kind == \"a\", price, 1 + 0.5)", "TERNARY(kind == \"a\", price, 1.5)"),
      ("price * sqrt(2.25)", "price * CAST(\"1.5\", \"NSNumber\")"),
    ])
  func literals(text: String, plain: String) throws {
    try each(12, [.money, .places]) { world, _, what in
      let tree = try World.parseExpression(text)
      let values = try world.evaluated(tree, "Sale")
      let expected = try world.evaluated(World.parseExpression(plain), "Sale")
      #expect(values.map(\.exact) == expected.map(\.exact), "\(what): \(text)")
      try world.checkShown(tree, values, "\(what): \(text)")
      try world.checkSorted(tree, values, "\(what): \(text)")
      for order in ["==", ">"] {
        #expect(try world.check("Sale", "\(text) \(order) (0.1 + 0.2)", 12), "\(what): \(text)")
      }
    }
  }

  @Test(
    "need no access to single objects",
    arguments: [
      "price > 12.5", "price BETWEEN {1.5, 2}", "price IN {1.5, 2, nil}", "price < cost",
      "price * quantity - cost > 100.25", "12.5 < price", "price > weight", "price * 1.5 > weight",
      "coalesce(cost, 0) < 2.5", "TERNARY(kind == \"a\", price, cost) > 1", "abs(cost) > 1.5",
      "owner.sales.@sum.price > 10",
    ])
  func methods(text: String) throws {
    var numbers = SeededNumbers(seed: 11)
    let world = try DecimalWorld(.money, 300).world(&numbers)
    let filter = try world.request("Sale", where: text).plan.filter
    guard case .reference = filter.kind else { return }
    Issue.record("\(text): \(filter)")
  }
}

extension DecimalTests {
  @Test(
    "of up to 38 digits leave no row to the reference evaluator",
    arguments: [
      "price > 12.5", "price == 1234567890123456789", "price > 1234567890123456789012345.67",
      "price < cost", "price IN {1.5, -9223372036854775808, nil}", "price * 2 - cost > 100.25",
      "price BETWEEN {-1234567890123456789.5, 2}", "round(price, 1) == 1.5", "-abs(cost) < -7",
      "coalesce(cost, 0) < 2.5", "TERNARY(kind == \"a\", price, cost) > 1", "price / 8 > quantity",
      "owner.sales.@sum.price > 10", "owner.sales.@max.cost > price", "floor(rate) == rate",
      "round(price, -4) == 50000", "price / 3 > 5",
    ])
  func longDecimals(text: String) throws {
    try each(13, [.mixed]) { world, _, what in
      #expect(try world.check("Sale", text, 13), "\(what): \(text)")
      let parts = try world.request("Sale", where: text).analysis(.objects).parts
      let slow = parts.map(\.method).filter { $0.contains("reference evaluator: rows: ") }
      #expect(slow.allSatisfy { $0.contains("rows: 0, ") }, "\(what): \(text)")
    }
  }
}

/// Sales with decimals of one of several shapes.
private struct DecimalWorld {
  enum Shape: CaseIterable {
    /// Two decimal places, usually.
    case money
    /// Up to six decimal places.
    case places
    /// Some with 38 digits, and texts in another form than Kura's.
    case huge
    /// As many digits as a 64-bit integer has.
    case long
    /// Two decimal places, usually, and some with up to 34 digits.
    case mixed
    /// Up to 18 places, and up to 37 digits, whose sums may have more than 38.
    case wide
    /// Few values, in chunks that store only those.
    case thin
  }

  let shape: Shape
  let count: Int

  init(_ shape: Shape, _ count: Int) { (self.shape, self.count) = (shape, count) }

  private static let model = Model(entities: [
    Entity(
      name: "Sale",
      attributes: [
        Attribute(name: "price", type: .decimal, isOptional: true),
        Attribute(name: "cost", type: .decimal, isOptional: true),
        Attribute(name: "rate", type: .decimal, isOptional: true),
        Attribute(name: "quantity", type: .integer, isOptional: true),
        Attribute(name: "weight", type: .double, isOptional: true),
        Attribute(name: "kind", type: .string, isOptional: true),
      ], relationships: [Relationship(name: "owner", destination: "Owner", inverse: "sales")]),
    Entity(
      name: "Owner",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "limit", type: .decimal, isOptional: true),
      ],
      relationships: [
        Relationship(name: "sales", destination: "Sale", isToMany: true, inverse: "owner")
      ]),
  ])

  func world(_ numbers: inout SeededNumbers) throws -> World {
    var context = GraphContext(Graph(model: Self.model))
    let owners = try context.insert(
      (1...9).map {
        let keys: [(String, Value)] = [
          ("name", .string("o\($0)")), ("limit", decimal(&numbers, $0)),
        ]
        return NewObject(entity: "Owner", values: keys.map { NewValue($0.0, $0.1) })
      })
    let objects = owners.compactMap { id in
      context.graph.find(id).map { context.snapshot.object(table: $0.table, row: $0.row) }
    }
    let filled = shape == .thin ? 4 : 8
    _ = try context.insert(
      (0..<count).map { row in
        let keys: [(String, Value)] = [
          ("price", decimal(&numbers, row)), ("cost", decimal(&numbers, row)),
          ("rate", decimal(&numbers, row)), ("quantity", .integer(Int64(numbers.below(21) - 10))),
          (
            "weight", .double(numbers.pick([0.1, 2.5, -7.25, 1e18, 1e300, 0.30000000000000004, 3]))
          ),
          ("kind", .string(numbers.pick(["a", "b", "c"]))),
          ("owner", .object(ObjectReference(numbers.pick(objects)))),
        ]
        let given = keys.filter { _ in numbers.below(10) < filled }
        return NewObject(entity: "Sale", values: given.map { NewValue($0.0, $0.1) })
      })
    var world = World(context.snapshot)
    if shape == .huge { world.snapshot = GraphSnapshot(strange(world.snapshot.graph)) }
    return shape == .thin ? world.sparsified : world
  }

  private func decimal(_ numbers: inout SeededNumbers, _ row: Int) -> Value {
    let text: String
    switch shape {
    case .money, .thin: text = "\(numbers.below(400) - 100).\(numbers.below(90) + 10)"
    case .places:
      let most = row < ColumnChunk.capacity ? 3 : 6
      let fraction = (0...numbers.below(most)).map { _ in "\(numbers.below(10))" }.joined()
      text = "\(numbers.below(7) - 3).\(fraction)"
    case .mixed where numbers.oneIn(3), .wide where numbers.flip():
      let digits = (0..<numbers.pick([12, 16, 17, 18, 24, shape == .wide ? 19 : 30]))
        .map { _ in "\(numbers.below(10))" }.joined()
      let places = shape == .wide ? numbers.pick([3, 6, 17, 18]) : numbers.below(5)
      let fraction = (0..<places).map { _ in "\(numbers.below(10))" }.joined()
      let known = [
        "9223372036854775808", "-9223372036854775808", "4611686018427387904",
        "46116860184273879.04",
        "-4611686018427387904", "1234567890123456789", "-1234567890123456789.5",
      ]
      text =
        numbers.flip()
        ? numbers.pick(known) : "\(numbers.flip() ? "-" : "")\(digits).\(fraction)0"
    case .mixed, .wide: text = "\(numbers.below(40) - 20).\(numbers.below(90) + 10)"
    case .huge where numbers.oneIn(9):
      text = numbers.pick([
        String(repeating: "9", count: 38), "-" + String(repeating: "8", count: 38), "1e30", "1e-30",
        "0.00000000000000000001", "12345678901234567.89", "-9223372036854775808", "1e100",
      ])
    case .huge: text = "\(numbers.below(40) - 20).\(numbers.below(4))"
    case .long:
      let digits = (0..<numbers.pick([1, 9, 15, 16, 17, 18, 19])).map { _ in "\(numbers.below(10))"
      }
      text = (numbers.flip() ? "-" : "") + "1" + digits.joined().prefix(17) + ".\(numbers.below(5))"
    }
    return NumberText.decimal(text).map { .decimal($0) } ?? .null
  }

  /// Returns the graph with texts that another program could have written.
  private func strange(_ graph: Graph) -> Graph {
    var graph = graph
    for table in graph.tables.indices {
      for column in graph.tables[table].columns.indices
      where graph.tables[table].columns[column].kind == .attribute(.decimal) {
        guard case .text(var texts) = graph.tables[table].columns[column].chunks[0].values else {
          continue
        }
        for (place, text) in ["NaN", "1.50", "+2", "1e1", "007", "-0", "1e-3", ".5"].enumerated()
        where !graph.tables[table].columns[column].chunks[0].isNull(place * 3) {
          texts.replace(place * 3, with: Array(text.utf8), isOdd: false)
        }
        graph.tables[table].columns[column].chunks[0].values = .text(texts)
      }
    }
    return graph
  }
}

extension SeededNumbers {
  fileprivate mutating func decimalComparison() -> String {
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    switch below(10) {
    case 6:
      let mean = "owner.sales.@avg.price \(pick(["*", "/", "+"])) \(pick(["1", "2", "rate", "3"]))"
      return flip() ? "price \(order) \(mean)" : "\(mean) \(order) price"
    case 0: return "\(pick(["price", "cost", "rate"])) BETWEEN {\(constant()), \(constant())}"
    case 1: return "\(decimal(1)) IN {\(constant()), \(constant()), nil, \(constant()), 1.5}"
    case 2:
      return
        "\(pick(["price", "cost"])) \(order) \(pick(["rate", "cost", "weight", "quantity", "nil"]))"
    case 3: return "\(constant()) \(order) \(pick(["price", "cost"]))"
    case 4: return "NOT (\(decimal(1)) \(order) \(constant()))"
    case 5: return "owner.sales.@\(pick(["sum", "max", "avg"])).price \(order) \(constant())"
    default: return "\(decimal(2)) \(order) \(numbers(1))"
    }
  }

  fileprivate mutating func ownerComparison() -> String {
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    let key = pick(["price", "cost", "rate"])
    switch below(7) {
    case 0: return "\(pick(["ANY", "ALL", "NONE"])) sales.\(key) \(order) \(constant())"
    case 4:
      let mean = "SUBQUERY(sales, $s, $s.quantity > \(below(4) - 1)).@avg.\(key)"
      let factor = pick(["2", "3", "0.5", "0", "sales.@count", "sales.@sum.\(key)"])
      return "\(mean) \(pick(["*", "/", "+", "-"])) \(factor) \(order) \(numbers(0))"
    case 5:
      let sum = "sales.@sum.\(key) / sales.@count"
      return "(\(sum)) * sales.@count \(order) sales.@sum.\(key)"
    case 6: return "\(pick(["median", "stddev"]))(sales.\(key)) \(order) \(constant())"
    case 1: return "SUBQUERY(sales, $s, $s.\(key) \(order) \(constant())).@count > \(below(30))"
    case 2:
      let inner = "SUBQUERY(sales, $s, $s.\(key) > \(constant()))"
      return "\(inner).@\(pick(["sum", "min", "max"])).\(key) \(order) \(constant())"
    default:
      return "sales.@\(pick(["sum", "avg", "min", "max"])).\(key) \(order) \(numbers(1))"
    }
  }

  private mutating func constant() -> String {
    pick([
      "0", "1", "-3", "0.5", "1.50", "12.25", "-7.125", "100", "1e3", "0.1", "-1", "2.000000001",
      "100000000000000000000", "0.00000000000000000001", "12345678901234567.89", "YES",
      "99999999999999999999999999999999999999", "9223372036854775807", "0.30000000000000004",
      "0.10000000000000000555", "1e300", "1234567890123456789012345.67", "1234567890123456789",
      "-4611686018427387904", "-9223372036854775808", "9995190700745373.364169863630302332",
    ])
  }

  private mutating func numbers(_ depth: Int) -> String {
    if oneIn(8) { return "(\(constant()) \(pick(["+", "-", "*", "/"])) \(constant()))" }
    return flip() ? constant() : decimal(depth)
  }

  fileprivate mutating func decimal(_ depth: Int) -> String {
    if depth == 0 || oneIn(4) {
      return pick(["price", "cost", "rate", "price", "quantity", "weight"])
    }
    let (a, b) = (decimal(depth - 1), numbers(depth - 1))
    switch below(10) {
    case 0...3: return "(\(a) \(pick(["+", "-", "*", "*", "/", "**"])) \(b))"
    case 8:
      let (one, other) = (constant(), pick([constant(), "quantity", "rate", "nil"]))
      let choice = pick([
        "TERNARY(price > 1.5, \(one), \(other))", "coalesce(\(other), \(one))",
        "TERNARY(kind == \"a\", TERNARY(price > 1.5, \(one), 1), \(other))",
        "\(pick(["max", "min"]))({\(one), \(other)})",
      ])
      return pick(["(\(a) * \(choice))", "(\(choice) - \(a))"])
    case 4:
      return pick([
        "abs(\(a))", "(-\(a))", "sqrt(\(a))", "floor(\(a))", "round(\(a))", "ceiling(\(a))",
        "trunc(\(a))", "round(\(a), \(pick([-19, -4, -1, 1, 2, 20])))",
      ])
    case 5: return pick(["coalesce(\(a), \(b))", "coalesce(\(a), rate, 0)"])
    case 6: return "TERNARY(\(pick(["kind == \"a\"", "price > 1.5", "cost == nil"])), \(a), \(b))"
    case 7: return "\(pick(["max", "min", "sum", "average"]))({\(a), \(b), price})"
    default: return "(\(a) + \(b) * price)"
    }
  }
}

extension Value {
  /// The value with its kind: 1, 1.0 and the decimal 1 are equal but not identical.
  var exact: String { "\(kind) \(self)" }

  /// Whether the value is equal and of the same kind; doubles may be summed in another order.
  fileprivate func isNear(_ other: Value) -> Bool {
    guard case .double(let x) = self, case .double(let y) = other else {
      return exact == other.exact
    }
    return x == y || (x - y).magnitude <= 1e-9 * max(x.magnitude, y.magnitude) || x.magnitude > 1e15
  }
}

extension World {
  /// Returns the reference evaluator's value for each object.
  func evaluated(_ tree: ExpressionTree, _ entity: String) throws -> [Value] {
    let request = try request(entity)
    let table = snapshot.graph.tables[request.place.table]
    let context = CheckContext(snapshot.graph.model, evaluation: request.environment.evaluation)
    let checked = tree.checked(in: context, of: entity).tree.tree
    return try (0..<table.count).map { row in
      let object = snapshot.object(table: request.place.table, row: row)
      return try checked.evaluate(
        on: .object(ObjectReference(object)), in: request.environment.evaluation)
    }
  }

  /// Nil if a list of several keys is refused in a `select`.
  private func shown(_ fetch: FetchTree) throws -> [[Value]]? {
    guard let bound = try? fetch.bound(to: snapshot, environment) else { return nil }
    let answer = try bound.answer()
    guard case .values(let rows) = answer.rows else { return [] }
    return rows.columns.map { column in (0..<rows.count).map(column.value) }
  }

  func checkShown(
    _ tree: ExpressionTree, _ values: [Value], of entity: String = "Sale", _ what: String
  ) throws {
    var fetch = FetchTree(of: FetchSource(.entity(entity)))
    fetch.selection = [SelectedColumn(tree, name: "x", isNamed: true)]
    guard let found = try shown(fetch) else { return }
    #expect(found[0].map(\.exact) == values.map(\.exact), "\(what)")
  }

  func checkSorted(_ tree: ExpressionTree, _ values: [Value], _ what: String) throws {
    for isAscending in [true, false] {
      let key = SortTree(tree, isAscending: isAscending)
      let sorted = values.indices.sorted { a, b in
        let (x, y) = (values[a], values[b])
        if x.isNull || y.isNull {
          return x.isNull == y.isNull ? a < b : x.isNull == key.putsNullsFirst
        }
        let order = isAscending ? Value.sortOrder(x, y) : Value.sortOrder(y, x)
        return order == .same ? a < b : order == .before
      }
      let found = try request("Sale", sort: [key]).run().rows.map { Int($0) }
      #expect(found == sorted, "\(what)")
      let page = try request("Sale", sort: [key], limit: 7, offset: 3).run().rows.map { Int($0) }
      #expect(page == Array(sorted.dropFirst(3).prefix(7)), "\(what)")
    }
  }

  func checkGrouped(_ tree: ExpressionTree, _ values: [Value], _ what: String) throws {
    var fetch = FetchTree(of: FetchSource(.entity("Sale")))
    fetch.grouping = [tree]
    fetch.selection = try [tree, Self.parseExpression("count(SELF)")].enumerated().map {
      SelectedColumn($0.element, name: "c\($0.offset)", isNamed: true)
    }
    guard let found = try shown(fetch) else { return }
    var counts: [Value: Int64] = [:]
    for value in values { counts[value, default: 0] += 1 }
    #expect(found[0].count == counts.count, "\(what)")
    for (value, count) in zip(found[0], found[1]) {
      #expect(count == .integer(counts[value] ?? 0), "\(what) \(value)")
    }
    fetch.grouping = []
    fetch.isDistinct = true
    fetch.selection = [SelectedColumn(tree, name: "c0", isNamed: true)]
    let distinct = try #require(try shown(fetch))[0]
    #expect(distinct.count == counts.count && Set(distinct) == Set(counts.keys), "\(what)")
  }

  fileprivate func checkAggregate(_ text: String, by key: String?, _ what: String) throws {
    let fetch = try Self.grouped(text, of: "Sale", by: key)
    guard let request = try? fetch.bound(to: snapshot, environment),
      let grouping = request.selection?.grouping, let aggregate = grouping.aggregates.first,
      let groups = try? Groups(request, by: grouping.keys.map(\.tree), grouping.aggregates),
      let slow = try? groups.slowValues(of: aggregate, request)
    else { return }
    let found = try groups.values(of: aggregate, request, isWhole: key == nil).all
    let wanted = key == nil ? [1] : groups.order
    for (found, slow) in zip(found, wanted.map { slow[$0] }) {
      #expect(found.isNear(slow), "\(what): \(text) by \(key ?? "none"): \(found), not \(slow)")
    }
  }
}
