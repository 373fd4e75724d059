import Foundation
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// Generated predicates: the kernels agree with the reference evaluator, row by row.
///
/// About 30,000 answers in the suite; the long form has 150 times as many. A predicate that is
/// refused before a row is evaluated, such as a price compared with a word, does not count.
@Suite("Kernels against the reference evaluator")
struct KernelTests {
  static let rounds = TestLength.count(20, long: 3000)

  @Test("agree on generated predicates", arguments: [11, 12, 13, 14, 15] as [UInt64])
  func agree(seed: UInt64) throws {
    let world = try World(seed: seed)
    var dice = Dice(seed &* 7919)
    let answered = try (0..<KernelTests.rounds).count { _ in
      try world.checkIfSound("Item", dice.predicate(depth: 3), seed)
    }
    #expect(answered > KernelTests.rounds * 3 / 4)
  }

  @Test("agree on generated predicates about the other tables", arguments: [16, 17] as [UInt64])
  func others(seed: UInt64) throws {
    let world = try World(seed: seed)
    var dice = Dice(seed &* 7919)
    let answered = try (0..<KernelTests.rounds).count { _ in
      let owner = dice.pick(["Category", "Tag"])
      return try world.checkIfSound(owner, dice.ownerPredicate(owner), seed)
    }
    #expect(answered > KernelTests.rounds * 3 / 4)
  }

  @Test("agree on chunks that store few values", arguments: [18, 19] as [UInt64])
  func sparsified(seed: UInt64) throws {
    let world = try World(seed: seed).sparsified
    var dice = Dice(seed &* 7919)
    let answered = try (0..<KernelTests.rounds).count { _ in
      try world.checkIfSound("Item", dice.predicate(depth: 3), seed)
    }
    #expect(answered > KernelTests.rounds * 3 / 4)
  }

  @Test("agree across the border of two chunks")
  func chunks() throws {
    let world = try World(seed: 5, items: ColumnChunk.capacity + 300)
    for text in [
      "count > 2 AND title CONTAINS \"誕生\"", "kind ==[cd] \"CAFE\" AND title BEGINSWITH \"Ca\"",
      "home.name ENDSWITH \"3\" AND ANY tags.name == \"tag1\"",
      "title MATCHES \".*[0-9]5\" OR title LIKE[c] \"CAF*7\"",
    ] {
      #expect(try world.check("Item", text, 5))
      // Structures that are created at the second use must give the same answer.
      #expect(try world.check("Item", text, 5))
    }
    let subquery = "SUBQUERY(items, $i, $i.count > 2).@count > 600"
    #expect(try world.check("Category", subquery, 5))
    #expect(try world.check("Category", "ANY items.title ENDSWITH \"16500\"", 5))
  }

  @Test("ANY and ALL over expressions of the elements")
  func mapped() throws {
    let world = try World(seed: 8, items: 300)
    for quantifier in ["ANY", "ALL", "NONE"] {
      for test in [
        "(count * 2) > 7", "(price + count) == nil", "(title) != \"x\"",
        "(length(title)) IN {4, 5}",
        "(day) < \"2020-01-01\"", "(exact * 10) BETWEEN {1, 3}", "(kind) CONTAINS[c] \"OFF\"",
      ] {
        let text = "\(quantifier) items.\(test)"
        #expect(try world.check("Category", text, 8), "\(text)")
        let filter = try world.request("Category", where: text).plan.filter
        #expect(!filter.asksReference, "\(text): \(filter)")
      }
    }
    #expect(try world.check("Item", "ANY tags.(length(name)) > 3", 8))
  }
}

extension World {
  /// Compares a fetch, a count and an existence test with the reference evaluator; returns whether there was an answer.
  func check(_ entity: String, _ text: String, _ seed: UInt64) throws -> Bool {
    let request = try request(entity, where: text)
    let expected: [Int]
    do {
      expected = try reference(request)
    } catch {
      // If the reference fails at a row, the fetch fails too or has not evaluated that row.
      do { _ = try request.run() } catch {
        #expect(error.facts is RowFailure, "seed \(seed): \(entity) \(text): \(error)")
      }
      return false
    }
    let found = try request.run().rows.map { Int($0) }
    #expect(found == expected, "seed \(seed): \(entity) \(text)")
    #expect(try request.count() == expected.count, "seed \(seed): count \(entity) \(text)")
    #expect(try request.exists() == !expected.isEmpty, "seed \(seed): exists \(entity) \(text)")
    try checkForced(entity, text, expected, seed)
    return true
  }

  /// Compares the rows that pass with the answers of each mode that can be forced, and of few candidates.
  private func checkForced(
    _ entity: String, _ text: String, _ expected: [Int], _ seed: UInt64
  ) throws {
    var world = self
    for mode in ForcedMode.allCases {
      world.environment.forced = mode
      let found = try world.request(entity, where: text).run().rows.map { Int($0) }
      #expect(found == expected, "seed \(seed), \(mode): \(entity) \(text)")
    }
    let request = try request(entity, where: text)
    guard let predicate = request.predicate else { return }
    let few = Set(stride(from: Int(seed % 97), to: Int.max, by: 97).prefix(1_000))
    let candidates = request.candidates.enumerated().map { chunk, rows in
      var rows = rows
      let first = chunk << ColumnChunk.shift
      for row in 0..<rows.count where !few.contains(first + row) { rows[row] = false }
      return rows
    }
    var found: [UInt32] = []
    for (chunk, rows) in try request.passing(predicate, among: candidates).enumerated() {
      rows.appendRows(ofChunk: chunk, to: &found)
    }
    let wanted = expected.filter(few.contains).map { UInt32($0) }
    #expect(found == wanted, "seed \(seed), few candidates: \(entity) \(text)")
  }

  private func reference(_ request: BoundRequest) throws -> [Int] {
    let table = snapshot.graph.tables[request.place.table]
    let codes = snapshot.graph.codes(of: request.entity)
    var context = request.environment.evaluation
    context.subqueries = nil
    return try (0..<table.count).filter { row in
      let object = snapshot.object(table: request.place.table, row: row)
      return try codes.contains(table.entityCode(row))
        && request.predicate?.evaluate(
          on: .object(ObjectReference(object)), in: context) ?? true
    }
  }
}
