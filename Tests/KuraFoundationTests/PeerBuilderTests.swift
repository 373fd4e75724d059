import Foundation
import KuraFoundation
import Testing

/// The expectations of libraries that build predicates: a built predicate equals a parsed one. They
/// come from the tests of QueryKit, PredicateFlow, CoreStore, PredicateKit, PredicateQI and
/// WinObjC.
@Suite("The expectations of predicate builders")
struct PeerBuilderTests {
  private typealias Comparison = KUComparisonPredicate

  private static func compare(
    _ key: String, _ type: KUComparisonPredicate.Operator, _ value: Any?,
    _ options: KUComparisonPredicate.Options = []
  ) throws -> KUComparisonPredicate {
    KUComparisonPredicate(
      leftExpression: KUExpression(forKeyPath: key),
      rightExpression: try KUExpression(forConstantValue: value), type: type, options: options)
  }

  private static var built: [(KUPredicate, String, [Any])] {
    get throws {
      [
        (try compare("name", .equalTo, "kyle"), "name == 'kyle'", []),
        (try compare("name", .equalTo, nil), "name == %@", [NSNull()]),
        (try compare("name", .notEqualTo, nil), "name != %@", [NSNull()]),
        (try compare("age", .greaterThan, 17), "age > 17", []),
        (try compare("age", .greaterThanOrEqualTo, 18), "age >= %d", [18]),
        (try compare("age", .lessThan, 18), "age < %ld", [18]),
        (try compare("age", .lessThanOrEqualTo, 17), "age =< 17", []),
        (try compare("name", .like, "k*"), "name LIKE 'k*'", []),
        (try compare("age", .in, [5, 10]), "age IN %@", [[5, 10]]),
        (try compare("age", .between, [32, 64]), "age BETWEEN %@", [[32, 64]]),
        (try compare("text", .in, ["a", "b"], [.caseInsensitive]), "text IN[c] %@", [["a", "b"]]),
        (try compare("text", .beginsWith, "x", [.caseInsensitive]), "text BEGINSWITH[c] 'x'", []),
        (
          try compare("text", .endsWith, "x", [.diacriticInsensitive]),
          "%K ENDSWITH[d] %@", ["text", "x"]
        ),
        (try compare("text", .matches, "x", [.normalized]), "text MATCHES[n] %@", ["x"]),
        (
          try compare("text", .contains, "x", [.caseInsensitive, .diacriticInsensitive]),
          "text CONTAINS[dc] 'x'", []
        ),
      ]
    }
  }

  @Test("about comparisons")
  func comparisons() throws {
    for (predicate, format, arguments) in try Self.built {
      let read = try KUPredicate(format: format, argumentArray: arguments)
      #expect(predicate == read && predicate.hashValue == read.hashValue, "\(format)")
      #expect(predicate.predicateFormat == read.predicateFormat, "\(format)")
    }
    let all = try Self.built.map(\.0)
    #expect(Set(all).count == all.count)
    for (place, predicate) in all.enumerated() {
      #expect(all.firstIndex(of: predicate) == place)
    }
  }

  @Test("about arguments, whose class does not matter")
  func arguments() throws {
    for (format, values) in [
      ("%K == %d", [100, NSNumber(value: 100), Int64(100), Int32(100)] as [Any]),
      ("%K == %@", [100, NSNumber(value: 100), Int64(100), UInt8(100)]),
      ("%K == %@", ["value", NSString(string: "value"), "value"[...]]),
      ("%K == %d", [Int64.max, NSNumber(value: Int64.max)]),
      (
        "%K IN %@",
        [[100, 200], NSArray(array: [100, 200]), [Int64(100), 200], [100, 200] as [Any]]
      ),
      (
        "%K IN %@",
        [[Int64.min, 100, .max], NSArray(array: [NSNumber(value: Int64.min), 100, Int64.max])]
      ),
    ] {
      let predicates = try values.map {
        try KUPredicate(format: format, argumentArray: ["key", $0])
      }
      #expect(Set(predicates).count == 1, "\(format): \(predicates)")
    }
    let (keyed, ordered) = (
      try KUPredicate(format: "%K in %@", argumentArray: ["id", ["A", "B"]]),
      try KUPredicate(format: "%K == %@ AND %K > %@", "name", "Cola", "n", 2)
    )
    #expect(try keyed.evaluate(with: ["id": "B"]) && !keyed.evaluate(with: ["id": "C"]))
    #expect(try !keyed.evaluate(with: ["name": "A"]))
    #expect(try ordered.evaluate(with: ["name": "Cola", "n": 3] as [String: Any]))
    #expect(try !ordered.evaluate(with: ["name": "Cola", "n": 2] as [String: Any]))
    #expect(throws: (any Error).self) { try KUPredicate(format: "%K == 1", 5) }
    #expect(throws: (any Error).self) { try KUPredicate(format: "%@ == 1") }
    #expect(throws: (any Error).self) { try KUPredicate(format: "%k == 1", "a") }
  }

  @Test("about groups, which keep their structure")
  func groups() throws {
    let parts = try ["a == nil", "b != nil", "c.b == 'x'"].map { try KUPredicate(format: $0) }
    let (a, b, c) = (parts[0], parts[1], parts[2])
    func and(_ parts: KUPredicate...) -> KUPredicate {
      KUCompoundPredicate(andPredicateWithSubpredicates: parts)
    }
    func or(_ parts: KUPredicate...) -> KUPredicate {
      KUCompoundPredicate(orPredicateWithSubpredicates: parts)
    }
    func not(_ part: KUPredicate) -> KUPredicate {
      KUCompoundPredicate(notPredicateWithSubpredicate: part)
    }
    for (joined, format) in [
      (and(a, b), "a == nil AND b != nil"), (or(a, b), "a == nil OR b != nil"),
      (and(a, not(b)), "a == nil AND NOT b != nil"), (or(not(a), b), "NOT a == nil OR b != nil"),
      (or(and(a, b), c), "(a == nil AND b != nil) OR c.b == 'x'"),
      (and(a, or(b, c)), "a == nil AND (b != nil OR c.b == 'x')"),
      (and(a, or(b, not(and(c, a)))), "a == nil AND (b != nil OR NOT (c.b == 'x' AND a == nil))"),
      (and(and(a, b), c), "(a == nil AND b != nil) AND c.b == 'x'"),
      (or(or(a, b), c), "(a == nil OR b != nil) OR c.b == 'x'"),
      (and(a, b, c), "a == nil AND b != nil AND c.b == 'x'"), (not(a), "NOT (a == nil)"),
    ] {
      #expect(try KUPredicate(format: format) == joined, "\(format)")
      #expect(try KUPredicate(format: joined.predicateFormat) == joined, "\(joined)")
    }
    #expect(and(a, b) != or(a, b) && and(a, b) != and(b, a) && and(and(a, b), c) != and(a, b, c))
    #expect(and() == KUPredicate(value: true) && KUPredicate(value: true) != a)
  }

  @Test("about a predicate that consists of all of these")
  func whole() throws {
    let slow = KUCompoundPredicate(
      notPredicateWithSubpredicate: try Self.compare("age", .lessThanOrEqualTo, 100))
    let named = try Self.compare("name", .contains, "ALPHA", [.caseInsensitive])
    let whole = KUCompoundPredicate(andPredicateWithSubpredicates: [
      KUCompoundPredicate(orPredicateWithSubpredicates: [slow, named]),
      try Self.compare("speed", .between, [0, 120]),
    ])
    let animals: [[String: Any]] = [
      ["name": "Alpha-1", "age": 20, "speed": 115], ["name": "Beta-1", "age": 101, "speed": 120],
      ["name": "Beta-2", "age": 120, "speed": 121], ["name": "alpha-4", "age": 100, "speed": 115],
      ["name": "Beta-5", "age": 101, "speed": 0], ["name": "Beta-6", "age": 9, "speed": 1],
    ]
    let found = try animals.filtered(using: whole).map { $0["name"] as? String }
    #expect(found == ["Alpha-1", "Beta-1", "alpha-4", "Beta-5"])
    #expect(
      whole.predicateFormat
        == #"((NOT age <= 100) OR name CONTAINS[c] "ALPHA") AND speed BETWEEN {0, 120}"#)
    #expect(try animals.filtered(using: KUPredicate(format: whole.predicateFormat)).count == 4)
  }
}
