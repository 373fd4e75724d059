import Foundation
import KuraForeign
import TestSupport
import Testing

/// Generated statements of SQL, translated to Kura: both give the same rows, or the translation is
/// refused.
///
/// About 600 statements in the suite; the long form has 250 times as many. KURA_SEED sets the first
/// seed.
@Suite("SQL translated to Kura")
struct TranslationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let rounds = TestLength.count(150, long: 37_500)
  private static let first = environment["KURA_SEED"].flatMap { UInt64($0) } ?? 1

  @Test("gives the same rows, or is refused", arguments: [0, 1, 2, 3] as [UInt64])
  func agrees(number: UInt64) throws {
    let seed = Self.first &* 1_000 &+ number
    var numbers = SeededNumbers(seed: seed)
    let world = try TranslationWorld(&numbers)
    var (answered, refused, unfit) = (0, 0, 0)
    for _ in 0..<Self.rounds {
      let sql = SQLSentence.some(&numbers)
      switch try world.translation(of: sql.text) {
      case .refused: refused += 1
      case .unfit(let text):
        unfit += 1
        if Self.environment["KURA_SHOW"] != nil { print("unfit:", sql.text, "\n    ", text) }
      case .statement(let statement):
        answered += 1
        let (ours, theirs) = try world.answers(to: statement, sql)
        #expect(ours == theirs, "seed \(seed): \(sql.text)\n\(statement)")
      }
    }
    print("seed \(seed): \(answered) answered, \(refused) refused, \(unfit) unfit")
    #expect(answered > Self.rounds * 3 / 5 && unfit < Self.rounds / 20)
  }

  @Test(
    "is refused if no fetch has the same rows",
    arguments: [
      "SELECT h.name FROM home h LEFT JOIN item i ON i.home = h.id",
      "SELECT h.name, COUNT(i.id) FROM home h LEFT JOIN item i ON i.home = h.id GROUP BY h.name",
      "SELECT name FROM home WHERE name = (SELECT text FROM item)",
      "SELECT AVG(DISTINCT n) FROM item",
      "SELECT text || n * 1.5 FROM item", "SELECT id FROM item WHERE n = NULL",
      "SELECT id FROM item WHERE text", "SELECT INSTR(text, 'a') FROM item",
      "SELECT id FROM item ORDER BY text COLLATE RTRIM",
      "SELECT COUNT(*) FROM item LIMIT 1 OFFSET 1",
      "SELECT TRIM('a' FROM text) FROM item", "SELECT SUBSTR(text, n) FROM item",
      "SELECT id FROM item i JOIN home h USING (home)",
      "SELECT i.id FROM item i JOIN home h ON i.home = h.id AND i.home = h.size",
      "UPDATE item SET n = 1 WHERE n = 2 LIMIT 1", "DELETE FROM item ORDER BY n LIMIT 1",
      "SELECT id FROM item LIMIT -1", "SELECT TOTAL(n) FROM item",
      "SELECT id FROM item WHERE text = n",
    ])
  func refuses(sql: String) throws {
    var numbers = SeededNumbers(seed: 1)
    guard case .refused = try TranslationWorld(&numbers).translation(of: sql) else {
      Issue.record("\(try TranslationWorld(&numbers).translation(of: sql))")
      return
    }
  }
}
