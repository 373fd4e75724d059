import Foundation
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues
import Testing

@testable import KuraFetch

@Suite("Expressions computed for whole columns") struct VectorTests {
  @Test(
    "agree with the reference evaluator",
    arguments: [
      (31, "UTC"), (32, "America/New_York"), (33, "Asia/Tokyo"), (34, "Asia/Kathmandu"),
    ] as [(UInt64, String)])
  func agree(seed: UInt64, zone: String) throws {
    let world = try world(seed, zone)
    var dice = Dice(seed &* 7919)
    let answered = try (0..<KernelTests.rounds * 2).count { _ in
      try world.checkIfSound(dice.computedComparison(), seed)
    }
    #expect(answered > KernelTests.rounds * 2 / 3, "\(answered)")
  }

  @Test("agree on chunks that store few values")
  func sparsified() throws {
    let world = try world(35, "Europe/Berlin").sparsified
    var dice = Dice(35)
    for _ in 0..<KernelTests.rounds {
      _ = try world.checkIfSound(dice.computedComparison(), 35)
    }
  }

  private func world(_ seed: UInt64, _ zone: String) throws -> World {
    var world = try World(seed: seed)
    world.environment.rules = ZoneRules(TimeZone(identifier: zone))
    return world
  }

  @Test(
    "need no access to single objects",
    arguments: [
      "count * 9 > price", "price * 2 + count > 3", "year(day) == 1980",
      "month(day) == 2 AND day(day) == 3", "length(title) < 8", "count & 4 == 4",
      "daysBetween(day, \"1990-01-01\") BETWEEN {0, 400}", "coalesce(price, 0) < 2",
      "TERNARY(done == YES, count, 9) > 5", "price IN {0.5, 1.5, 2.5}", "abs(count) >= 3",
      "count > serial", "startOfDay(day) == day", "SUBQUERY(tags, $t, 1 == 1).@count >= 0",
    ])
  func methods(text: String) throws {
    let filter = try World().request("Item", where: text).plan.filter
    #expect(!filter.asksReference, "\(text): \(filter)")
  }

  @Test(
    "compute with integers without an equal double exactly, if other rows have doubles",
    arguments: [
      "TERNARY(serial > 20, price, count) - 9007199254740993 == -9007199254740992",
      "9007199254740993 + TERNARY(done == YES, count, price) > 9007199254740994",
      "max(count, price) - 9007199254740993 == -9007199254740993",
    ])
  func largeIntegers(text: String) throws {
    #expect(try World(seed: 36).check("Item", text, 36))
  }

  @Test(
    "keep booleans among other values",
    arguments: ["TERNARY(serial > 20, price, done)", "max(done, price)", "coalesce(done, count)"])
  func booleans(text: String) throws {
    let (world, tree) = (try World(seed: 37, items: 600), try World.parseExpression(text))
    try world.checkShown(tree, try world.evaluated(tree, "Item"), text)
  }

  @Test("have no length for null texts")
  func noText() throws {
    let nothing = ColumnChunk(.bytes([0, 0]), nulls: Bitmap(count: 2, filledWith: true))
    let column = Column(.attribute(.string), chunks: [nothing], dictionary: TextDictionary())
    let layout = TableLayout(root: "", entities: [], columns: [], slots: [])
    let table = Table(layout: layout, columns: [column])
    let all = Bitmap(count: 2, filledWith: true)
    let length = try #require(TextColumnNode(0, .string, table).flatMap { LengthNode($0) })
    let vector = length.vector(ChunkRows(table: table, number: 0, candidates: all))
    #expect(vector.nulls == all)
  }

  @Test("fail if the reference evaluator fails, and name the object")
  func failure() throws {
    let world = try World()
    for text in [
      "count * 9223372036854775807 > 0", "serial / count > 1", "price ** 9999 > 1",
      "modulus:by:(serial, count) == 0",
      "startOfDay(dateByAdding(day, 9000000, \"year\")) == day",
      "year(startOfDay(dateByAdding(day, -9000000, \"week\"))) == 1",
    ] {
      let request = try world.request("Item", where: text)
      let error = #expect(throws: Diagnostic.self) { try request.run() }
      let facts = try #require(error?.facts as? RowFailure)
      let failed = try #require(facts.object)
      let first = try world.firstFailure(request)
      #expect(first == failed, "\(text)")
    }
  }
}

extension Filter {
  var asksReference: Bool {
    if case .reference = kind { return true }
    return parts.contains(where: \.asksReference)
  }
}

extension World {
  /// Performs `check` unless the predicate is refused before it runs.
  fileprivate func checkIfSound(_ text: String, _ seed: UInt64) throws -> Bool {
    (try? request("Item", where: text)) == nil ? false : try check("Item", text, seed)
  }

  /// Returns the first object at which the reference evaluator fails.
  fileprivate func firstFailure(_ request: BoundRequest) throws -> ObjectID? {
    let table = snapshot.graph.tables[request.place.table]
    for row in 0..<table.count {
      let object = snapshot.object(table: request.place.table, row: row)
      let context = request.environment.evaluation
      do {
        _ = try request.predicate?.evaluate(on: .object(ObjectReference(object)), in: context)
      } catch { return object.objectID }
    }
    return nil
  }
}
