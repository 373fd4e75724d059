import Foundation
import KuraPredicates
import KuraValues
import TestSupport
import Testing

/// Sums and means of decimals with up to 38 digits.
@Suite("Statistics of decimals")
struct DecimalSumTests {
  private func value(_ text: String) throws -> Value {
    try ExpressionTree(parsing: text).evaluate([:])
  }

  private static let nines = String(repeating: "9", count: 38)

  @Test("are the same in any order", arguments: 1...50 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    var terms: [(digits: String, isNegative: Bool)] = []
    for _ in 0..<numbers.below(9) + 1 {
      let digits = (0..<numbers.pick([1, 20, 37, 38])).map { _ in "\(1 + numbers.below(9))" }
      terms.append((digits.joined(), numbers.flip()))
    }
    let first = results(of: terms)
    for _ in 0..<4 {
      var shuffled: [(digits: String, isNegative: Bool)] = []
      while !terms.isEmpty { shuffled.append(terms.remove(at: numbers.below(terms.count))) }
      terms = shuffled
      #expect(results(of: terms) == first, "\(terms)")
    }
  }

  private func results(of terms: [(digits: String, isNegative: Bool)]) -> [String] {
    let list = terms.map { ($0.isNegative ? "-" : "") + $0.digits }.joined(separator: ", ")
    return ["sum", "average"].map { function in
      (try? value("\(function)({\(list), 10000000000000000000, -10000000000000000000})")).map {
        "\($0)"
      } ?? "error"
    }
  }

  @Test("fail if a sum has too many digits, unlike a mean")
  func limits() throws {
    let nines = Self.nines
    #expect(throws: (any Error).self) { try value("sum({\(nines), 1})") }
    #expect(throws: (any Error).self) { try value("\(nines) + 1") }
    #expect(try value("sum({\(nines), \(nines), -\(nines)})") == value(nines))
    #expect(try value("average({\(nines), \(nines)})") == value(nines))
    #expect(try value("median({\(nines), \(nines)})") == value(nines))
    #expect(try value("abs(-\(nines))") == value(nines))
  }

  @Test("a literal with more digits is an error, in every base")
  func literals() throws {
    let digits = Self.nines + "9"
    for text in [digits, "-" + digits, "0x" + String(repeating: "F", count: 32)] {
      #expect(throws: (any Error).self, "\(text)") { try ExpressionTree(parsing: text) }
    }
    #expect(
      try value("1" + String(repeating: "0", count: 60))
        == value("CAST(\"1e60\", \"NSDecimalNumber\")"))
  }
}
