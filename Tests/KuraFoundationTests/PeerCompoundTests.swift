import Foundation
import KuraFoundation
import Synchronization
import Testing

/// Expectations from the tests of swift-corelibs-foundation, WinObjC, GNUstep and MIOCoreData,
/// about predicates that are joined, encoded and copied.
@Suite("The expectations of other compounds")
struct PeerCompoundTests {
  private typealias Compound = KUCompoundPredicate

  @Test("about constants, few and many")
  func constants() throws {
    let (yes, no) = (KUPredicate(value: true), KUPredicate(value: false))
    let joined: [(Compound, Bool)] = [
      (Compound(notPredicateWithSubpredicate: yes), false),
      (Compound(notPredicateWithSubpredicate: no), true),
      (Compound(andPredicateWithSubpredicates: []), true),
      (Compound(andPredicateWithSubpredicates: [yes]), true),
      (Compound(andPredicateWithSubpredicates: [no]), false),
      (Compound(andPredicateWithSubpredicates: [yes, yes]), true),
      (Compound(andPredicateWithSubpredicates: [yes, no]), false),
      (Compound(orPredicateWithSubpredicates: []), false),
      (Compound(orPredicateWithSubpredicates: [yes]), true),
      (Compound(orPredicateWithSubpredicates: [no, yes]), true),
      (Compound(orPredicateWithSubpredicates: [no, no]), false),
    ]
    for (predicate, holds) in joined {
      for object: Any? in [nil, "gazonk", 3, ["a": 1]] {
        #expect(try predicate.evaluate(with: object) == holds, "\(predicate)")
      }
      #expect(try [1, 2, 3].filtered(using: predicate).count == (holds ? 3 : 0))
    }
  }

  @Test("about the first answer, after which nothing is evaluated")
  func shortCircuits() throws {
    let asked = Mutex(0)
    let counting = KUPredicate { _, _ in
      asked.withLock { $0 += 1 }
      return true
    }
    let (yes, no) = (KUPredicate(value: true), KUPredicate(value: false))
    #expect(try !Compound(andPredicateWithSubpredicates: [no, counting]).evaluate(with: nil))
    #expect(try Compound(orPredicateWithSubpredicates: [yes, counting]).evaluate(with: nil))
    #expect(asked.withLock { $0 } == 0)
    #expect(try Compound(andPredicateWithSubpredicates: [yes, counting]).evaluate(with: nil))
    #expect(try Compound(orPredicateWithSubpredicates: [no, counting]).evaluate(with: nil))
    #expect(asked.withLock { $0 } == 2)
  }

  @Test("about joined blocks")
  func blocks() throws {
    let odd = KUPredicate { object, _ in (object as? Int ?? 0) % 2 != 0 }
    let even = KUPredicate { object, _ in (object as? Int ?? 1) % 2 == 0 }
    let large = KUPredicate { object, _ in (object as? Int ?? 0) > 4 }
    let notOdd = Compound(notPredicateWithSubpredicate: odd)
    let none = Compound(andPredicateWithSubpredicates: [odd, even])
    let joined: [(KUPredicate, [Int])] = [
      (notOdd, [2, 4, 6]), (none, []), (Compound(notPredicateWithSubpredicate: none), Array(1...7)),
      (Compound(orPredicateWithSubpredicates: [odd, even]), Array(1...7)),
      (Compound(orPredicateWithSubpredicates: [notOdd, none, large]), [2, 4, 5, 6, 7]),
      (Compound(andPredicateWithSubpredicates: [notOdd, large]), [6]),
      (
        Compound(andPredicateWithSubpredicates: [
          Compound(orPredicateWithSubpredicates: [notOdd, large]),
          Compound(notPredicateWithSubpredicate: try KUPredicate(format: "SELF IN {2, 7}")),
        ]), [4, 5, 6]
      ),
    ]
    for (predicate, wanted) in joined {
      #expect(try Array(1...7).filtered(using: predicate) == wanted)
    }
    let coin = KUPredicate { object, variables in object as? Int == variables?["rare"] as? Int }
    let found = try (0..<10).map { $0 * 10 }.filter {
      try coin.evaluate(with: $0, substitutionVariables: ["rare": 30])
    }
    #expect(found == [30])
    #expect(throws: (any Error).self) { try JSONEncoder().encode(coin) }
  }

  @Test("about the parts of what is parsed")
  func parts() throws {
    let read = try KUPredicate(format: "not open = true or n >= 1 and n <= 10.5")
    let either = try #require(Compound(read))
    #expect(either.compoundPredicateType == .or && either.subpredicates.count == 2)
    let not = try #require(Compound(either.subpredicates[0]))
    #expect(not.compoundPredicateType == .not && not.subpredicates.count == 1)
    let closed = try #require(KUComparisonPredicate(not.subpredicates[0]))
    #expect(closed.leftExpression.keyPath == "open" && closed.predicateOperatorType == .equalTo)
    let both = try #require(Compound(either.subpredicates[1]))
    #expect(both.compoundPredicateType == .and)
    let bounds = try both.subpredicates.map { try #require(KUComparisonPredicate($0)) }
    #expect(bounds.map(\.predicateOperatorType) == [.greaterThanOrEqualTo, .lessThanOrEqualTo])
    #expect(bounds[0].rightExpression.constantValue as? Int == 1)
    #expect(bounds[1].rightExpression.constantValue as? Double == 10.5)
    #expect(
      Compound(type: either.compoundPredicateType, subpredicates: either.subpredicates) == read)
    #expect(Compound(closed) == nil && KUComparisonPredicate(both) == nil)
  }

  static let kept = [
    "TRUEPREDICATE", "FALSEPREDICATE", "a == 'b'", "a < 'b'", "a MATCHES[cd] 'b'", "a LIKE 'b'",
    "a ENDSWITH[c] 'b'", "a IN {1, 2}", "a BETWEEN {1, 2}", "a CONTAINS[cd] 'x'", "ANY a == 'b'",
    "ALL a.b > 2", "NONE a == 1", "a == 'b' AND c < 2", "a == 'b' OR c < 2", "NOT a == 'b'",
    "$x.y > 40", "SUBQUERY(a, $b, $b.c == d).@count > 1", "a + b * 2 == 3", "a UNION b == c",
    "TERNARY(a == 1, b, c) == nil", "1 < 3",
  ]

  @Test("about predicates that are encoded and copied", arguments: kept)
  func copies(_ format: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let predicate = try KUPredicate(format: format)
    #expect(predicate.copy() as? KUPredicate == predicate)
    let data = try encoder.encode(predicate)
    #expect(try JSONDecoder().decode(KUPredicate.self, from: data) == predicate)
    let comparison = KUComparisonPredicate(predicate)
    #expect((try? JSONDecoder().decode(KUComparisonPredicate.self, from: data)) == comparison)
    let compound = Compound(predicate)
    #expect((try? JSONDecoder().decode(Compound.self, from: data)) == compound)
    for part in [comparison, compound].compactMap(\.self) as [KUPredicate] {
      #expect(part == predicate && part.hashValue == predicate.hashValue)
      #expect(try encoder.encode(part) == data)
    }
  }

  @Test("about the encoding of a comparison")
  func comparison() throws {
    let made = KUComparisonPredicate(
      leftExpression: KUExpression(forKeyPath: "a"),
      rightExpression: try KUExpression(forConstantValue: Date(timeIntervalSince1970: 0.5)),
      modifier: .any, type: .lessThan, options: [.caseInsensitive, .diacriticInsensitive])
    let data = try JSONEncoder().encode(made)
    let read = try JSONDecoder().decode(KUComparisonPredicate.self, from: data)
    #expect(read == made && read.comparisonPredicateModifier == .any)
    #expect(read.predicateOperatorType == .lessThan && read.options == made.options)
    #expect(read.rightExpression.constantValue as? Date == Date(timeIntervalSince1970: 0.5))
  }
}
