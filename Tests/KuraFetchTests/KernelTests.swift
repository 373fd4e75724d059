import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

/// Generated predicates: what the kernels say is what the reference evaluator says, row by row.
@Suite("Kernels against the reference evaluator")
struct KernelTests {
  @Test("agree on generated predicates", arguments: [11, 12, 13, 14] as [UInt64])
  func agree(seed: UInt64) throws {
    let world = try World(seed: seed)
    var dice = Dice(seed &* 7919)
    for _ in 0..<400 {
      let text = dice.predicate(depth: 3)
      try compare(text, world, seed)
    }
  }

  private func compare(_ text: String, _ world: World, _ seed: UInt64) throws {
    let request = try world.request("Item", where: text)
    let expected = try reference(request, world)
    let found = try request.run().rows.map { Int($0) }
    #expect(found == expected, "seed \(seed): \(text)")
    #expect(try request.count() == expected.count, "seed \(seed): count \(text)")
    #expect(try request.exists() == !expected.isEmpty, "seed \(seed): exists \(text)")
  }

  private func reference(_ request: BoundRequest, _ world: World) throws -> [Int] {
    let table = world.snapshot.graph.tables[request.place.table]
    return try (0..<table.count).filter { row in
      let object = world.snapshot.object(table: request.place.table, row: row)
      return try request.predicate?.evaluate(
        on: .object(ObjectReference(object)), in: request.environment.evaluation) ?? true
    }
  }

  @Test("agree across the border of two chunks")
  func chunks() throws {
    let world = try World(seed: 5, items: ColumnChunk.capacity + 500)
    for text in [
      "count > 2 AND title CONTAINS \"誕生\"", "NOT done == YES OR price == nil",
      "kind ==[cd] \"CAFE\" AND title BEGINSWITH \"Ca\"", "note ENDSWITH \"9\"",
    ] {
      try compare(text, world, 5)
    }
  }
}

extension Dice {
  mutating func predicate(depth: Int) -> String {
    if depth == 0 || chance(0.3) { return comparison() }
    switch below(3) {
    case 0: return "(\(predicate(depth: depth - 1)) AND \(predicate(depth: depth - 1)))"
    case 1: return "(\(predicate(depth: depth - 1)) OR \(predicate(depth: depth - 1)))"
    default: return "NOT (\(predicate(depth: depth - 1)))"
    }
  }

  private mutating func comparison() -> String {
    switch below(9) {
    case 0: return "\(pick(["title", "kind", "note"])) \(textOperator()) \(text())"
    case 1: return "\(pick(["count", "price"])) \(order()) \(number())"
    case 2: return "\(number()) \(order()) \(pick(["count", "price", "exact"]))"
    case 3: return "\(pick(["count", "price"])) BETWEEN {\(number()), \(number())}"
    case 4: return "\(pick(["count", "kind"])) IN {1, 2.5, -3, nil}".replacingKind(text())
    case 5: return "day \(order()) \"\(1970 + below(40))-0\(1 + below(9))-01\""
    case 6: return "done \(pick(["==", "!="])) \(pick(["YES", "NO"]))"
    case 7:
      return "\(pick(["title", "kind", "count", "price", "day", "home"])) \(pick(["==", "!="])) nil"
    default: return relation()
    }
  }

  private mutating func relation() -> String {
    pick([
      "ANY tags.name == \"tag1\"", "ALL tags.name != \"tag2\"", "NONE tags.name == \"tag3\"",
      "home.name CONTAINS \"3\"", "tags.@count > 2",
      "SUBQUERY(tags, $t, $t.name ENDSWITH \"4\").@count == 1",
      "objectID > 20", "objectID == 17", "home == Category/2", "entity.name == \"Task\"",
      "extra.city == \"Kobe\"", "exact == 0.3", "title.length > 8",
    ])
  }

  private mutating func order() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }
  private mutating func number() -> String {
    pick(["0", "2", "-3", "2.5", "-0.5", "5", "1e3", "YES"])
  }
  private mutating func text() -> String {
    "\""
      + pick([
        "誕生", "cafe", "CAFÉ", "が", "か", "ガ", "ss", "x", "", "9", "記念", "Private", "𠮷", "か*", ".a*",
        "C*f?",
        ".*誕.*", "[A-Z].*",
      ])
      + "\""
  }
  private mutating func textOperator() -> String {
    pick(["==", "!=", "<", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"])
      + pick(["", "", "[c]", "[d]", "[cd]", "[n]"])
  }
}

extension String {
  /// `kind IN {…}` wants texts in its list.
  fileprivate func replacingKind(_ text: String) -> String {
    hasPrefix("kind") ? "kind IN {\(text), \"Office\", nil}" : self
  }
}
