import KuraDiagnostics
import KuraGraph
import KuraLearning
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("A trace of generated predicates")
struct TraceTests {
  @Test("agrees with the reference evaluator at every node", arguments: [21, 22] as [UInt64])
  func everyNode(seed: UInt64) throws {
    let world = try World(seed: seed, items: 40)
    var dice = Dice(seed &* 7919)
    var nodes = 0
    for _ in 0..<KernelTests.rounds {
      nodes += try world.checkTraces("Item", dice.predicate(depth: 3), 40)
      let owner = dice.pick(["Category", "Tag"])
      nodes += try world.checkTraces(owner, dice.ownerPredicate(owner), 5)
    }
    #expect(nodes > KernelTests.rounds * 100)
  }

  @Test("has the counts of steps, with nil separate from NO", arguments: [23, 24, 25] as [UInt64])
  func steps(seed: UInt64) throws {
    let world = try World(seed: seed, items: 60)
    var dice = Dice(seed &* 7919)
    let answered = try (0..<KernelTests.rounds).count { _ in
      let owner = dice.pick(["Category", "Tag"])
      let own = try world.checkSteps(owner, dice.ownerPredicate(owner))
      return try world.checkSteps("Item", dice.predicate(depth: 3)) && own
    }
    #expect(answered > KernelTests.rounds / 2)
  }

  @Test(
    "has the counts of steps across links, too",
    arguments: [
      ("Category", "ALL items.day > \"2001-01-01\""),
      ("Category", "ALL items.kind BEGINSWITH \"a\""),
      ("Category", "ANY items.price > 3"), ("Category", "NONE items.price > 3"),
      ("Category", "ALL parent.items.serial < 5"), ("Category", "ALL children.items.serial > 1"),
      ("Item", "ALL home.items.price > 3"), ("Item", "ANY home.items.kind == \"a\""),
      ("Item", "ANY home.parent.items.serial BETWEEN {1, 4}"),
      ("Item", "ALL tags.name == \"tag1\""),
      ("Item", "ALL home.parent.items.day < \"2001-01-01\""),
      ("Tag", "ALL items.home.name == \"x\""),
      ("Tag", "ANY items.home.parent.name CONTAINS \"1\""),
      ("Tag", "ALL items.serial IN {1, 2, 3}"),
      ("Category", "SUBQUERY(items, $i, $i.count > 2).@count > 3"),
    ])
  func links(entity: String, predicate: String) throws {
    for seed in [31, 32] as [UInt64] {
      #expect(try World(seed: seed, items: 50).checkSteps(entity, predicate))
    }
  }

  @Test("leaves a row out if a leaf fails outside its order")
  func failingLeaf() throws {
    let request = try World(seed: 33).request(
      "Item", where: "price == 1 OR 10 / count > 0.1")
    let table = try request.leafTable(limit: 300)
    #expect(table.rows.contains { $0.answers.contains(.unasked) })
    for (place, leaf) in table.leaves.enumerated() {
      let sure = try request.passingWithoutFallback(leaf, among: request.candidates)
      let rows = table.rows.filter { $0.answers[place] == .yes }.map(\.row)
      #expect(sure.firstRows() == rows.sorted(), "\(leaf)")
    }
  }

  @Test("finds the rows that one leaf excludes, as the distances of its answers do")
  func nearMisses() throws {
    let world = try World(seed: 26, items: 50)
    var dice = Dice(26)
    for _ in 0..<KernelTests.rounds / 2 {
      let request = try world.request("Item", where: dice.predicate(depth: 3))
      guard let found = try? request.run() else { continue }
      let table = try request.leafTable(limit: 100)
      #expect(table.total == 50 && table.rows.count == 50 && table.hits == found.count)
      #expect(table.rows.count { $0.isIn } == table.hits)
      #expect(table.rows.count { $0.distance == 1 } == table.nearMisses)
      let first = try request.leafTable(limit: 7)
      #expect(first.rows.map(\.row) == table.rows.prefix(7).map(\.row) || table.nearMisses < 7)
    }
  }
}

extension World {
  /// Compares the trace of each object with the evaluator, node by node; returns the number of nodes.
  fileprivate func checkTraces(_ entity: String, _ text: String, _ most: Int) throws -> Int {
    let request = try request(entity, where: text)
    guard let predicate = request.predicate else { return 0 }
    let context = request.environment.evaluation
    var nodes = 0
    for row in request.candidates.firstRows(most) {
      let object = Value.object(ObjectReference(request.object(atRow: row)))
      guard let whole = try? predicate.evaluate(on: object, in: context) else {
        #expect(throws: Diagnostic.self) { try request.trace(predicate, row) }
        continue
      }
      let trace = try request.trace(predicate, row)
      #expect(trace.answer.isYes == whole, "\(entity) \(text)")
      nodes += try trace.check { try $0.evaluate(on: object, in: context) }
    }
    return nodes
  }

  /// Compares the counts of steps with traces of all objects; returns false if the fetch fails.
  fileprivate func checkSteps(_ entity: String, _ text: String) throws -> Bool {
    let request = try request(entity, where: text)
    guard let predicate = request.predicate, let step = try? request.predicateSteps().step else {
      return false
    }
    let traces = try request.candidates.firstRows().map { try request.trace(predicate, $0) }
    step.check(traces, "\(entity) \(text)")
    return true
  }
}

extension PredicateTrace {
  /// Compares each evaluated node with an evaluator; nothing is evaluated after the part that decides.
  fileprivate func check(_ evaluate: (PredicateTree) throws -> Bool) throws -> Int {
    guard answer != .unasked else {
      #expect(parts.allSatisfy { $0.answer == .unasked } && sides == nil)
      return 0
    }
    #expect(try evaluate(predicate) == answer.isYes, "\(predicate)")
    let settling = parts.firstIndex { part in
      switch predicate.kind {
      case .and: !part.answer.isYes
      case .or: part.answer.isYes
      default: false
      }
    }
    for (place, part) in parts.enumerated() {
      #expect((part.answer == .unasked) == (settling.map { place > $0 } ?? false))
    }
    return try parts.reduce(1) { try $0 + $1.check(evaluate) }
  }
}

extension PredicateStep {
  fileprivate func check(_ traces: [PredicateTrace], _ text: String) {
    let reached = traces.filter { $0.answer != .unasked }
    #expect(asked == reached.count, "\(text): \(predicate)")
    #expect(yes == reached.count { $0.answer.isYes }, "\(text): \(predicate)")
    #expect(null == reached.count { $0.answer == .null }, "\(text): \(predicate)")
    for (place, part) in parts.enumerated() { part.check(traces.map { $0.parts[place] }, text) }
  }
}
