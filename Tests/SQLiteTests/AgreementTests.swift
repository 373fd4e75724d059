import Foundation
import TestSupport
import Testing

/// Generated stores and queries, evaluated by Kura and by SQLite.
///
/// About 1,400 answers in the suite; the long form has 75 times as many.
@Suite("Kura and SQLite")
struct AgreementTests {
  private static let rounds = TestLength.count(60, long: 4_500)

  @Test("find the same objects", arguments: [1, 2, 3, 4, 5] as [UInt64])
  func find(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let stores = try TwinStores(&numbers)
    for _ in 0..<Self.rounds {
      let table = numbers.pick(Table.allCases)
      try stores.check(.objects(of: table, stores.schema, &numbers), seed)
    }
  }

  @Test("evaluate conditions that only some objects pass")
  func questionsDivide() throws {
    var numbers = SeededNumbers(seed: 16)
    let stores = try TwinStores(&numbers)
    let counts = try (0..<100).map { _ in
      try stores.ask(Request.objects(of: .item, stores.schema, &numbers).statement).count
    }
    #expect(counts.count { $0 > 0 && $0 < 120 } > 60)
  }

  @Test("find the same first objects of an order", arguments: [6, 7, 8, 9, 10] as [UInt64])
  func sort(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let stores = try TwinStores(&numbers)
    for _ in 0..<Self.rounds {
      try stores.check(.firstItems(stores.schema, &numbers), seed)
    }
  }

  @Test("find the same first objects of each key", arguments: [26, 27, 28] as [UInt64])
  func firstOfEach(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let stores = try TwinStores(&numbers)
    for _ in 0..<Self.rounds {
      try stores.check(.firstOfEach(stores.schema, &numbers), seed)
    }
  }

  @Test("compute the same window functions", arguments: [31, 32, 33] as [UInt64])
  func windows(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let stores = try TwinStores(&numbers)
    for _ in 0..<Self.rounds {
      try stores.check(.windows(stores.schema, &numbers), seed)
    }
  }

  @Test("find the same objects by fetches for each object", arguments: [36, 37, 38] as [UInt64])
  func correlated(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let stores = try TwinStores(&numbers)
    for _ in 0..<Self.rounds {
      try stores.check(.correlated(stores.schema, &numbers), seed)
      try stores.check(.computedSummaries(stores.schema, &numbers), seed)
    }
  }

  @Test("compute the same aggregates", arguments: [11, 12, 13, 14, 15] as [UInt64])
  func group(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let stores = try TwinStores(&numbers)
    for _ in 0..<Self.rounds {
      try stores.check(.groups(stores.schema, &numbers), seed)
      try stores.check(.summary(stores.schema, &numbers), seed)
    }
  }
}

extension TwinStores {
  fileprivate func check(_ pair: Request, _ seed: UInt64) throws {
    let (ours, theirs) = (try ask(pair.statement), try ask(sql: pair.sql))
    #expect(ours == theirs, "seed \(seed): \(pair.statement)\n\(pair.sql)")
  }
}
