import KuraChecking
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Each operator for each attribute type: of a key, across a to-one relationship, and of the objects of a to-many. They
/// must not leave rows to the reference evaluator, except those listed in Documentation/Performance.md.
@Suite("Every operator for every type")
struct OperatorMatrixTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let type: AttributeType
    let values: [String]
    let literals: [String]
    let tests: [String]
    var testDescription: String { "\(type)" }
  }

  private static let equality = [
    "{k} == {0}", "{k} != {0}", "{k} IN {{0}, {1}}", "NOT {k} IN {{0}, {1}, nil}", "{k} == {o}",
    "{k} != {o}", "{k} == nil",
    "{k} != nil", "coalesce({k}, {1}) == {0}", "TERNARY(n > 4, {k}, {o}) == {1}",
    "TERNARY({k} == {0}, {o}, {k}) != {1}",
  ]
  private static let order = [
    "{k} < {0}", "{k} >= {1}", "{k} BETWEEN {{0}, {1}}", "{k} < {o}", "{k} <= {o}",
  ]
  private static let numbers = [
    "{k} * 2 + 1 > 9", "{k} + {o} > 3", "{k} / 8 > 0", "abs({k} - 5) < 4", "floor({k}) > 0",
    "ceiling({k}) > 0",
    "round({k}) == 3", "round({k}, 1) == 2.5",
    "sqrt(abs({k})) < 5", "-{k} < -1", "coalesce({k}, 0) < 3", "{k} * n > 4", "max({{k}, {o}}) > 2",
    "CAST({k}, \"NSString\") == \"3\"", "concat({k}, \"x\") ENDSWITH \"25x\"",
  ]
  private static let texts = [
    "{k} CONTAINS {0}", "{k} CONTAINS[cd] {1}", "{k} BEGINSWITH {0}", "{k} BEGINSWITH[cd] {1}",
    "{k} ENDSWITH {0}",
    "{k} ENDSWITH[c] {1}", "{k} LIKE \"*a?*\"", "{k} LIKE[cd] \"A*\"", "{k} MATCHES \".*[a-z]+\"",
    "{k} MATCHES[c] \"A.*\"",
    "{k} ==[cd] {0}", "{k} IN[c] {{0}, {1}}", "{k} <[cd] {0}", "{k} CONTAINS {o}",
    "{k} BEGINSWITH[cd] {o}", "length({k}) > 2",
    "uppercase({k}) == {1}", "substring({k}, 0, 1) == \"a\"", "concat({k}, \"x\") ENDSWITH \"ax\"",
    "trim({k}) == {0}",
    "canonical({k}) == {0}",
  ]
  private static let dates = [
    "year({k}) == 1999", "month({k}) == 6", "weekday({k}) == 1", "hour({k}) < 8",
    "startOfDay({k}) == {0}",
    "dateByAdding({k}, 1, \"month\") > {0}", "daysBetween({k}, {0}) > 30",
    "daysBetween({k}, {o}) > 3",
    "format({k}, \"yyyy-MM\") == \"1999-06\"", "timeBetween({k}, {0}, \"hours\") < 30",
    "timeBetween({k}, {o}, \"Minutes\") > 3", "timeBetween({o}, {k}, \"second\") == 0",
    "timeBetween({k}, {0}, \"days\") < 30", "timeBetween({o}, {k}, \"month\") > 1",
    "CAST({k}, \"NSNumber\") > 0", "{k}.timeIntervalSince1970 > 0",
    "CAST({k}, \"NSNumber\") - CAST({o}, \"NSNumber\") < 3600.5",
  ]

  static let cases = [
    Case(
      type: .integer, values: ["1", "-3", "3", "40"], literals: ["3", "40"],
      tests: equality + order + numbers + [
        "modulus:by:({k}, 7) == 3", "{k} / 3 < 4", "bitwiseAnd:with:({k}, 6) == 2",
      ]),
    Case(
      type: .integer16, values: ["1", "-3", "3"], literals: ["3", "1"],
      tests: equality + order + numbers),
    Case(
      type: .double, values: ["0.5", "-3", "3.25", "1e9"], literals: ["3.25", "5"],
      tests: equality + order + numbers + ["{k} / 3 < 4"]),
    Case(
      type: .float, values: ["0.5", "-3", "3.25"], literals: ["3.25", "5"],
      tests: equality + order + numbers),
    Case(
      type: .decimal, values: ["0.10", "-3", "3.25"], literals: ["3.25", "0.1"],
      tests: equality + order + numbers + [
        "{k} / 3 < 4", "{k} / {o} >= 1.5", "1 == {k} / {o}", "({k} - {o}) / {k} * 100 > 3",
        "3 / {k} < 2", "{k} / {o} BETWEEN {-1, 0.3}", "{k} / 3 * 3 == {k}",
        "{k} / {o} / 7 != nil", "TERNARY({k} / 7 > 0, {k}, {o}) == {1}",
      ]),
    Case(type: .boolean, values: ["true", "false"], literals: ["YES", "NO"], tests: equality),
    Case(
      type: .string, values: ["a", "Apfel", "äpfel xa", ""], literals: ["\"a\"", "\"APFEL\""],
      tests: equality + order + texts),
    Case(
      type: .string, values: ["誕生日", "が", "家 a"], literals: ["\"誕生\"", "\"家 a\""],
      tests: equality + order + texts),
    Case(
      type: .string, values: ["🎂", "🎂 a", "🧹"], literals: ["\"🎂\"", "\"🧹\""],
      tests: equality + order + texts),
    Case(
      type: .date, values: ["1999-06-02", "2001-02-03T05:00:00Z"],
      literals: ["\"1999-06-02\"", "\"2001-01-01\""],
      tests: equality + order + dates),
    Case(
      type: .uuid,
      values: ["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "0621E1F8-C36C-495A-93FC-0C247A3E6E5F"],
      literals: [
        "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", "\"E621E1F8-C36C-495A-93FC-0C247A3E6E50\"",
      ],
      tests: equality + order + [
        "CAST({k}, \"NSString\") CONTAINS \"0C2\"", "concat({k}, \"x\") ENDSWITH \"xx\"",
      ]),
    Case(
      type: .uri, values: ["https://b.example/x", "urn:x"],
      literals: ["\"urn:x\"", "\"https://b.example/x\""],
      tests: equality + order + [
        "CAST({k}, \"NSString\") CONTAINS \"0C2\"", "concat({k}, \"x\") ENDSWITH \"xx\"",
      ]),
    Case(
      type: .binary, values: ["eHk=", "AAEC", "eA==", "eHkA", "/+8="],
      literals: ["\"AAEC\"", "\"eHk=\""], tests: equality),
  ]

  @Test("leaves no row to the reference evaluator, and agrees with it", arguments: cases)
  func predicates(of type: Case) throws {
    var numbers = SeededNumbers(seed: 1)
    let world = try type.world(&numbers)
    for test in type.tests {
      let text = type.filled(test)
      for (entity, predicate) in [
        ("Row", text("k", "o")), ("Row", text("owner.k", "o")),
        (
          "Owner",
          "SUBQUERY(rows, $r, \(text("$r.k", "$r.o").replacing("(n >", with: "($r.n >").replacing("* n", with: "* $r.n"))).@count > 1"
        ),
      ] {
        #expect(try world.check(entity, predicate, 1), "\(predicate)")
        let plan = try world.request(entity, where: predicate).plan
        #expect(!plan.filter.asksReference, "\(type.type): \(predicate)")
      }
    }
  }
}

extension OperatorMatrixTests {
  @Test("sorts every type without comparing values", arguments: cases)
  func sorts(of type: Case) throws {
    var numbers = SeededNumbers(seed: 2)
    // For few rows, the expression is evaluated row by row.
    let world = try type.world(&numbers, rows: 600)
    for key in ["k", "owner.k", "coalesce(k, o)", "TERNARY(n > 4, k, o)"] {
      for isAscending in [true, false] {
        let sort = [SortTree(try ExpressionTree(parsing: key), isAscending: isAscending)]
        #expect(try world.fetch("Row", sort: sort) == world.plainlySorted("Row", sort), "\(sort)")
        let request = try world.request("Row", sort: sort)
        let rows = [request.snapshot.graph.tables[request.place.table].liveRows(inChunk: 0)]
        #expect(try request.quicklySorted(rows, nil) != nil, "\(type.type): \(sort)")
      }
    }
  }
}

extension OperatorMatrixTests {
  @Test("divides decimals of whole columns as the reference evaluator divides values")
  func quotients() throws {
    let type = try #require(Self.cases.first { $0.type == .decimal })
    var numbers = SeededNumbers(seed: 3)
    let world = try type.world(&numbers, rows: 900, owners: 600)
    for (entity, text) in [
      ("Row", "k / o"), ("Row", "k / 3"), ("Row", "7 / k"), ("Row", "owner.k / k"),
      ("Owner", "rows.@avg.k"), ("Owner", "average(rows.k)"),
      ("Owner", "SUBQUERY(rows, $r, $r.n > 3).@avg.k"), ("Owner", "rows.@sum.k / k"),
      ("Row", "owner.rows.@avg.k"),
    ] {
      let tree = try world.expression(text, of: entity)
      let request = try world.request(entity)
      let table = request.snapshot.graph.tables[request.place.table]
      let rows = (0..<table.count).map { UInt32($0) }
      let plain = try rows.map { row in
        try tree.evaluate(
          on: .object(
            ObjectReference(world.snapshot.object(table: request.place.table, row: Int(row)))),
          in: world.environment.evaluation)
      }
      #expect(try request.values(of: tree, rows) == plain, "\(text)")
      #expect(request.quotients(tree, rows) != nil || text.contains("@sum"), "\(text)")
    }
  }
}

extension OperatorMatrixTests {
  @Test("selects aggregates of related objects with their kinds")
  func selectedAggregates() throws {
    for type in Self.cases where [.integer, .double, .decimal].contains(type.type) {
      var numbers = SeededNumbers(seed: 6)
      let world = try type.world(&numbers, rows: 900, owners: 600)
      for aggregate in ["@count", "@sum.k", "@avg.k", "@min.k", "@max.o"] {
        let tree = try World.parseExpression("rows.\(aggregate)")
        let values = try world.evaluated(tree, "Owner")
        try world.checkShown(tree, values, of: "Owner", "\(type.type) \(aggregate)")
      }
    }
  }

  @Test("sorts and compares quotients of decimals without computing their digits")
  func quotientOrder() throws {
    let type = try #require(Self.cases.first { $0.type == .decimal })
    var numbers = SeededNumbers(seed: 4)
    let world = try type.world(&numbers, rows: 900, owners: 600)
    for (entity, text) in [
      ("Row", "k / o"), ("Row", "o / 7"), ("Row", "owner.k / k"), ("Row", "owner.rows.@avg.k"),
      ("Owner", "rows.@avg.k"), ("Owner", "average(rows.o)"), ("Row", "(n + 1) / k"),
    ] {
      for isAscending in [true, false] {
        let sort = [
          SortTree(try ExpressionTree(parsing: text), isAscending: isAscending),
          SortTree(try ExpressionTree(parsing: "k")),
        ]
        let request = try world.request(entity, sort: sort)
        #expect(try world.fetch(entity, sort: sort) == world.plainlySorted(entity, sort), "\(text)")
        let rows = [request.snapshot.graph.tables[request.place.table].liveRows(inChunk: 0)]
        #expect(try request.quicklySorted(rows, nil) != nil, "\(text)")
      }
      let predicate = entity == "Row" ? "o < \(text)" : "k >= \(text)"
      #expect(try world.check(entity, predicate, 1), "\(predicate)")
      #expect(
        try !world.request(entity, where: predicate).plan.filter.asksReference, "\(predicate)")
    }
    for text in [
      "k / o - 0.5", "1.5 - k / o", "o / 7 * 2 + n", "owner.rows.@avg.k + 1", "n - (k + 1) / o",
    ] {
      for predicate in ["o < \(text)", "\(text) >= k", "\(text) == 1"] {
        #expect(try world.check("Row", predicate, 1), "\(predicate)")
        let steps = try world.request("Row", where: predicate).analysis(.count).parts
        let methods = steps.map(\.method).joined(separator: ", ")
        let rows = methods.matches(of: /rows: (\d+)/).compactMap { Int($0.1) }.reduce(0, +)
        #expect(rows < 300, "\(predicate): \(methods)")
      }
    }
  }

  @Test(
    "finds elements of constant collections without asking the reference evaluator",
    arguments: [
      ("Row", "SELF IN Owner/1.rows"), ("Row", "NOT SELF IN Owner/2.rows"),
      ("Owner", "Row/3 IN rows"), ("Row", "{1, 3, nil} CONTAINS n"),
      ("Row", "owner IN Row/3.owner.rows.owner"), ("Row", "NOT {2} CONTAINS n"),
    ])
  func constantCollections(entity: String, predicate: String) throws {
    var numbers = SeededNumbers(seed: 7)
    let world = try Self.cases[0].world(&numbers)
    #expect(try world.check(entity, predicate, 1), "\(predicate)")
    #expect(try !world.request(entity, where: predicate).plan.filter.asksReference, "\(predicate)")
  }

  @Test("leaves a division by zero to the reference evaluator")
  func divisionByZero() throws {
    let type = try #require(Self.cases.first { $0.type == .decimal })
    var numbers = SeededNumbers(seed: 5)
    let world = try type.world(&numbers, rows: 900, owners: 30)
    let sort = [SortTree(try ExpressionTree(parsing: "k / (o - o)"))]
    #expect(throws: (any Error).self) { try world.fetch("Row", sort: sort) }
  }

  @Test("aggregates decimals and objects of groups in loops")
  func aggregates() throws {
    let type = try #require(Self.cases.first { $0.type == .decimal })
    var numbers = SeededNumbers(seed: 6)
    let world = try type.world(&numbers, rows: 900, owners: 90)
    for text in [
      "stddev(k)", "stddev(k * 2)", "countDistinct(owner)", "countDistinct(k)", "mode(owner)",
      "mode(k)",
    ] {
      for key in ["n", "owner", "k"] {
        let request = try World.grouped(text, of: "Row", by: key)
          .bound(to: world.snapshot, world.environment)
        let aggregate = try #require(request.firstAggregate)
        let values = try request.valuesOfFirstAggregate()
        #expect(values.engine == values.evaluator, "\(text) by \(key)")
        #expect(
          GatheredAggregate.canGather(aggregate, request)
            || DistinctValues.canFind(aggregate, request), "\(text)")
      }
    }
  }
}

extension OperatorMatrixTests.Case {
  /// A test with its literals, as a function of its keys.
  func filled(_ test: String) -> (String, String) -> String {
    { key, other in
      test.replacing("{k}", with: key).replacing("{o}", with: other).replacing(
        "{0}", with: literals[0]
      )
      .replacing("{1}", with: literals[1])
    }
  }

  private func attributes(_ names: [String]) -> [Attribute] {
    names.map { Attribute(name: $0, type: type, isOptional: true) }
  }

  func world(
    _ numbers: inout SeededNumbers, rows: Int = 80, owners: Int = 9
  ) throws -> World {
    let model = Model(entities: [
      Entity(
        name: "Row",
        attributes: attributes(["k", "o"]) + [
          Attribute(name: "n", type: .integer, isOptional: true)
        ],
        relationships: [Relationship(name: "owner", destination: "Owner", inverse: "rows")]),
      Entity(
        name: "Owner", attributes: attributes(["k"]),
        relationships: [
          Relationship(name: "rows", destination: "Row", isToMany: true, inverse: "owner")
        ]),
    ])
    let known = try values.map { try type.value(ofText: $0, in: .utc, from: .document) }
    var context = GraphContext(Graph(model: model))
    func some(_ keys: [String]) -> [NewValue] {
      keys.filter { _ in !numbers.oneIn(4) }.map { NewValue($0, numbers.pick(known)) }
    }
    let owners = try context.insert(
      (0..<owners).map { _ in NewObject(entity: "Owner", values: some(["k"])) })
    let objects = owners.compactMap { id in
      context.graph.find(id).map { context.snapshot.object(table: $0.table, row: $0.row) }
    }
    _ = try context.insert(
      (0..<rows).map { _ in
        var all = some(["k", "o"]) + [NewValue("n", .integer(Int64(numbers.below(9))))]
        if !numbers.oneIn(5) {
          all.append(NewValue("owner", .object(ObjectReference(numbers.pick(objects)))))
        }
        return NewObject(entity: "Row", values: all)
      })
    return World(context.snapshot)
  }
}
