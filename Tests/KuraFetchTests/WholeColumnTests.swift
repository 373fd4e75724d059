import Foundation
import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Columns, orders, groups and aggregates of expressions, compared with the reference evaluator's
/// values for each object.
@Suite("Computed columns") struct WholeColumnTests {
  private static let zones = ["America/New_York", "Asia/Tokyo"]

  private func world(_ seed: UInt64) throws -> World {
    var world = try World(seed: seed, items: 600)
    let zone = WholeColumnTests.zones[Int(seed) % 2]
    world.environment.rules = ZoneRules(TimeZone(identifier: zone))
    return seed % 3 == 0 ? world.sparsified : seed % 2 == 0 ? world.coded : world
  }

  /// Calls the body with expressions that have a value for every object.
  private func each(
    _ world: World, _ seed: UInt64, _ body: (ExpressionTree, [Value], String) throws -> Void
  ) throws {
    let rounds = TestLength.count(13, long: 1000)
    var (dice, answered) = (Dice(seed &* 104_729), 0)
    for _ in 0..<rounds {
      let text = dice.chance(0.3) ? dice.text(2) : dice.number(2)
      guard let tree = try? World.parseExpression(text), let values = try? world.values(of: tree)
      else { continue }
      answered += 1
      try body(tree, values, "seed \(seed): \(text)")
    }
    #expect(answered > rounds / 4, "\(answered)")
  }

  @Test("agree with the reference evaluator", arguments: [41, 42] as [UInt64])
  func select(seed: UInt64) throws {
    let world = try world(seed)
    try each(world, seed) { tree, values, what in
      var fetch = FetchTree(of: FetchSource(.entity("Item")))
      fetch.selection = [SelectedColumn(tree, name: "x", isNamed: true)]
      let found = try world.columns(fetch)
      #expect(found == [values], "\(what)")
    }
  }

  @Test("have the order of their values", arguments: [43, 44, 45] as [UInt64])
  func sort(seed: UInt64) throws {
    let world = try world(seed)
    try each(world, seed) { tree, values, what in
      for isAscending in [true, false] {
        let key = SortTree(tree, isAscending: isAscending)
        let found = try world.request("Item", sort: [key]).run().rows.map { Int($0) }
        let sorted = values.indices.sorted { a, b in
          let order = key.order(values[a], values[b])
          return order == .same ? a < b : order == .before
        }
        #expect(found == sorted, "\(what)")
        let first = try world.request("Item", sort: [key], limit: 7, offset: 3).run().rows
        #expect(first.map { Int($0) } == Array(sorted.dropFirst(3).prefix(7)), "\(what)")
      }
    }
  }

  @Test("form groups of equal values, and are summed in them", arguments: [46, 47] as [UInt64])
  func groups(seed: UInt64) throws {
    let world = try world(seed)
    var counts: [Value: Int] = [:]
    let kinds = try world.values(of: World.parseExpression("kind"))
    try each(world, seed) { tree, values, what in
      var fetch = FetchTree(of: FetchSource(.entity("Item")))
      let count = try World.parseExpression("count(SELF)")
      let sums = try ["sum", "min", "max", "average", "count"].map { name in
        try World.parseExpression("\(name)(\(tree.expressionFormat))")
      }
      fetch.grouping = [tree, try World.parseExpression("kind")]
      fetch.selection = (fetch.grouping + [count] + sums).enumerated().map {
        SelectedColumn($0.element, name: "c\($0.offset)", isNamed: true)
      }
      // A sum may overflow.
      guard let found = try? world.columns(fetch) else { return }
      let pairs = Set(zip(values, kinds).map { [$0, $1] })
      #expect(found[0].count == pairs.count, "\(what)")
      for row in found[0].indices {
        let size = zip(values, kinds).count { $0 == found[0][row] && $1 == found[1][row] }
        #expect(found[2][row] == .integer(Int64(size)), "\(what)")
        let value = found[0][row]
        #expect(found[4][row] == value && found[5][row] == value, "\(what)")
        #expect(found[7][row] == .integer(value.isNull ? 0 : Int64(size)), "\(what)")
      }
      counts[.string(what)] = pairs.count
    }
    #expect(counts.values.contains { $0 > 50 } && counts.values.contains { $0 < 20 })
  }

  @Test("of texts form groups of equal texts", arguments: [48, 49] as [UInt64])
  func textGroups(seed: UInt64) throws {
    let world = try world(seed)
    var dice = Dice(seed &* 104_729)
    for _ in 0..<KernelTests.rounds / 4 {
      let text = dice.text(2)
      guard let tree = try? World.parseExpression(text), let values = try? world.values(of: tree)
      else { continue }
      var fetch = FetchTree(of: FetchSource(.entity("Item")))
      fetch.grouping = [tree]
      fetch.selection = try [tree, World.parseExpression("count(SELF)")].enumerated().map {
        SelectedColumn($0.element, name: "c\($0.offset)", isNamed: true)
      }
      guard let found = try? world.columns(fetch) else { continue }
      let counts = values.reduce(into: [Value: Int]()) { $0[$1, default: 0] += 1 }
      let shown = Dictionary(zip(found[0], found[1])) { a, _ in a }
      #expect(shown == counts.mapValues { .integer(Int64($0)) }, "seed \(seed): \(text)")
      #expect(found[0].count == counts.count, "seed \(seed): \(text)")
      fetch.grouping = []
      fetch.isDistinct = true
      fetch.selection = [SelectedColumn(tree, name: "c0", isNamed: true)]
      let distinct = try world.columns(fetch)
      #expect(Set(distinct[0]) == Set(values) && distinct[0].count == counts.count, "\(text)")
    }
  }

  @Test(
    "of every type form groups and orders",
    arguments: ["key", "link", "format(day, \"y/M\")", "format(day, \"EEE H:mm\", \"ja_JP\")"])
  func types(_ text: String) throws {
    for seed in [56, 57, 58] as [UInt64] {
      let world = try world(seed)
      let tree = try World.parseExpression(text)
      let values = try world.values(of: tree)
      let counts = values.reduce(into: [Value: Int]()) { $0[$1, default: 0] += 1 }
      var fetch = FetchTree(of: FetchSource(.entity("Item")))
      fetch.grouping = [tree]
      fetch.selection = try [tree, World.parseExpression("count(SELF)")].enumerated().map {
        SelectedColumn($0.element, name: "c\($0.offset)", isNamed: true)
      }
      let found = try world.columns(fetch)
      #expect(found[0].count == counts.count)
      #expect(
        Dictionary(zip(found[0], found[1])) { a, _ in a }
          == counts.mapValues { .integer(Int64($0)) })
      for isAscending in [true, false] {
        let key = SortTree(tree, isAscending: isAscending)
        let sorted = values.indices.sorted { a, b in
          let order = key.order(values[a], values[b], locale: world.environment.locale)
          return order == .same ? a < b : order == .before
        }
        let rows = try world.request("Item", sort: [key]).run().rows.map { Int($0) }
        #expect(rows == sorted, "\(text), \(isAscending)")
      }
    }
  }

  @Test("of integers among doubles have means", arguments: [59, 60] as [UInt64])
  func means(seed: UInt64) throws {
    let world = try world(seed)
    for text in ["coalesce(price, 0)", "coalesce(price, count)", "TERNARY(done == YES, price, 1)"] {
      let request = try World.grouped("average(\(text))", of: "Item", by: "kind")
        .bound(to: world.snapshot, world.environment)
      #expect(ColumnAggregate.hasLoop(try #require(request.firstAggregate), request))
      let values = try request.valuesOfFirstAggregate()
      for (value, slow) in zip(values.engine, values.evaluator) {
        guard case (.double(let x), .double(let y)) = (value, slow) else {
          #expect(value == slow, "\(text)")
          continue
        }
        #expect(abs(x - y) <= 1e-12 * max(1, abs(y)), "\(text)")
      }
    }
  }

  @Test(
    "have the reference evaluator's aggregates of all values of a group",
    arguments: [50, 51] as [UInt64])
  func gathered(seed: UInt64) throws {
    let world = try world(seed)
    let texts = ["median", "stddev", "min", "max", "countDistinct", "mode"].flatMap { name in
      [
        "\(name)(count)", "\(name)(price)", "\(name)(count * price)", "\(name)(title)",
        "\(name)(lowercase(note))", "\(name)(home.name)", "\(name)(length(title))",
        "\(name)(serial)", "\(name)(tags.@count)", "\(name)(kind)",
      ]
    }
    let percentiles = [
      "percentile(count, 90)", "percentile(price, 12.5)", "percentile(serial, 0)",
      "percentile(tags.@count, 50)", "percentile(length(title), 99)", "percentile(price * 3, 100)",
      "joined(title, \", \")", "joined(kind, \"\")", "joined(home.name, \"・\")",
      "joined(lowercase(note), \"-\")", "joined(count, \",\")", "joined(key, \" \")",
      "joined(link, \" \")",
    ]
    for key in ["kind", "home.name", "substring(title, 0, 1)", "year(day)", "day", "title"] {
      for text in texts + percentiles {
        let fetch = try World.grouped(text, of: "Item", by: key)
        guard let request = try? fetch.bound(to: world.snapshot, world.environment),
          request.firstAggregate != nil
        else { continue }
        let values = try request.valuesOfFirstAggregate()
        #expect(values.engine == values.evaluator, "\(text) by \(key)")
      }
    }
  }

  @Test("of texts follow their options", arguments: [52, 53, 55] as [UInt64])
  func folded(seed: UInt64) throws {
    let world = try world(seed)
    for text in ["lowercase(kind)", "home.name", "code", "note", "substring(code, 0, 1)", "title"] {
      let tree = try World.parseExpression(text)
      let values = try world.values(of: tree)
      for options in [1, 2, 3, 4] as [UInt8] {
        let key = SortTree(
          tree, options: ComparisonOptions(rawValue: options), isAscending: options != 1)
        let sorted = values.indices.sorted { a, b in
          let order = key.order(values[a], values[b], locale: world.environment.locale)
          return order == .same ? a < b : order == .before
        }
        let found = try world.request("Item", sort: [key]).run().rows.map { Int($0) }
        #expect(found == sorted, "seed \(seed): \(key)")
      }
    }
  }

  @Test("of days have few numbers", arguments: ["UTC", "Europe/Berlin", "Asia/Kathmandu"])
  func days(zone: String) throws {
    let rules = ZoneRules(TimeZone(identifier: zone))
    let days = (0..<20_000).compactMap { day in
      rules.startOfDay(Timestamp(microseconds: Int64(day % 9_000) * 86_400_000_000 * 4))
    }
    var column = Column(.attribute(.date))
    for (place, day) in days.enumerated() {
      column.append(place % 7 == 0 ? .null : .integer(day.microseconds))
    }
    let rows = column.chunks.map { Bitmap(count: $0.count, filledWith: true) }
    let cells = NumberedCells(column, rows)
    let values = days.indices.map { $0 % 7 == 0 ? nil : days[$0].microseconds }
    let codes = cells.codes.flatMap(\.self)
    #expect(Set(zip(values, codes).map { "\($0 ?? -1) \($1)" }).count == Set(values).count)
    #expect(codes.allSatisfy { $0 <= cells.count })
    #expect(zip(values, codes).allSatisfy { ($0 == nil) == ($1 == cells.count) })
  }

  @Test(
    "are found for typical queries", arguments: ["cost", "year", "length", "price", "choice"])
  func found(name: String) throws {
    let texts = [
      "cost": "count * price", "year": "year(day) * 100 + month(day)", "length": "length(title)",
      "price": "price / 2 + 1", "choice": "TERNARY(count > 2, 1, 0)",
    ]
    let tree = try World.parseExpression(try #require(texts[name]))
    let request = try world(41).request("Item")
    let rows = try request.passingRows()
    let checked = tree.checked(
      in: CheckContext(request.snapshot.graph.model), of: "Item"
    ).tree.tree
    #expect(request.wholeColumn(checked, rows) != nil)
    #expect(request.wholeColumn(checked, rows.map { Bitmap(count: $0.count) }) == nil)
  }
}

extension WholeColumnTests {
  @Test("leave rows in which a list has too few elements to the reference evaluator")
  func missingElement() throws {
    let world = try World(seed: 47, items: 2_000)
    let request = try world.request("Item")
    let rows = try request.passingRows()
    #expect(request.wholeColumn(try world.expression("split(title, \"@\")[0]"), rows) != nil)
    #expect(request.wholeColumn(try world.expression("split(title, \"@\")[1]"), rows) == nil)
  }

  @Test(
    "can be compiled for dates that are out of range",
    arguments: [
      "2562047788, \"hours\"", "153722867280, \"minutes\"", "9223372036854, \"seconds\"",
      "-9223372036854775807 - 1, \"days\"", "9223372036854775807, \"weeks\"",
    ])
  func farDates(text: String) throws {
    let world = try World(seed: 48, items: 2_000)
    let tree = try world.expression("dateByAdding(day, \(text))")
    #expect(try world.request("Item").vectorNode(tree) != nil)
  }
}

extension World {
  static func parseExpression(_ text: String) throws -> ExpressionTree {
    try PredicateParser(TokenCursor(SourceText(text), mode: .statement)).parseExpression()
  }

  /// Returns the reference evaluator's value for each item.
  func values(of tree: ExpressionTree) throws -> [Value] {
    let request = try request("Item")
    let table = snapshot.graph.tables[request.place.table]
    let context = CheckContext(snapshot.graph.model, evaluation: request.environment.evaluation)
    let checked = tree.checked(in: context, of: "Item").tree.tree
    return try (0..<table.count).map { row in
      let object = snapshot.object(table: request.place.table, row: row)
      return try checked.evaluate(
        on: .object(ObjectReference(object)), in: request.environment.evaluation)
    }
  }

  fileprivate func columns(_ fetch: FetchTree) throws -> [[Value]] {
    let answer = try fetch.bound(to: snapshot, environment).answer()
    guard case .values(let rows) = answer.rows else { return [] }
    return rows.columns.map { column in (0..<rows.count).map(column.value) }
  }
}

extension SortTree {
  /// Returns the order of two values, with nulls first or last.
  fileprivate func order(_ a: Value, _ b: Value) -> ValueOrder {
    if a.isNull || b.isNull {
      if a.isNull && b.isNull { return .same }
      return a.isNull == putsNullsFirst ? .before : .after
    }
    let order = Value.sortOrder(a, b)
    return isAscending ? order : order.reversed
  }
}
