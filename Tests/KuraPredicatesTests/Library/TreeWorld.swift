import Foundation
import KuraDiagnostics
import KuraValues
import TestSupport

@testable import KuraPredicates

/// The result of an evaluation, to compare two trees.
enum Outcome: Equatable {
  case answer(Bool)
  case error(String, SourceSpan?)

  init(_ body: () throws(Diagnostic) -> Bool) {
    do throws(Diagnostic) {
      self = .answer(try body())
    } catch {
      self = .error(error.facts.sentence, error.span)
    }
  }

  var isError: Bool { if case .error = self { true } else { false } }
  /// The sentence, without the place, which a rewritten tree may lack.
  var words: String {
    switch self {
    case .answer(let answer): "\(answer)"
    case .error(let sentence, _): sentence
    }
  }
}

/// Random predicates that can usually be evaluated, and objects for them.
struct TreeWorld {
  var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &numbers)]
  }

  static let texts = ["", "父の誕生日", "Café 12", "CAFE 12", "cafe", "x", "ﾒﾓ 7", "straße", "ab1"]

  mutating func object() -> [String: Value] {
    var object: [String: Value] = [:]
    object["title"] = pick(Self.texts.map(Value.string) + [.null, .integer(3)])
    object["n"] = pick([.integer(2), .integer(-1), .double(2), .double(0.1), .null, .boolean(true)])
    object["m"] = pick([.integer(0), .decimal(Decimal(string: "0.1") ?? 0), .integer(7), "2"])
    object["day"] = pick([.date(Timestamp(microseconds: 5_000_000)), .null])
    object["tags"] = pick([["x", "cafe"], [], .null, .set(["x", "ab1"]), ["Café 12", nil, 2]])
    object["items"] = .list(
      (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
        .object(ObjectReference(["n": pick([1, 2, nil]), "title": "x"] as [String: Value]))
      })
    return object.filter { _ in Int.random(in: 0..<12, using: &numbers) > 0 }
  }

  mutating func predicate(depth: Int) -> PredicateTree {
    guard depth > 0 else { return comparison(depth: 0) }
    switch Int.random(in: 0..<9, using: &numbers) {
    case 0, 1: return PredicateTree(.not(predicate(depth: depth - 1)))
    case 2, 3: return PredicateTree(.and(parts(depth)))
    case 4, 5: return PredicateTree(.or(parts(depth)))
    case 6: return PredicateTree(.constant(pick([true, false])))
    default: return comparison(depth: depth - 1)
    }
  }

  private mutating func parts(_ depth: Int) -> [PredicateTree] {
    (0..<Int.random(in: 0...3, using: &numbers)).map { _ in predicate(depth: depth - 1) }
  }

  static let comparisonTexts = [
    "title == 'x'", "title != 'CAFE 12'", "title ==[cd] 'CAFE 12'", "title <[c] 'cafe'",
    "title > 'b'", "title CONTAINS[cd] 'fe'", "title BEGINSWITH '父'", "title ENDSWITH[c] 'ß'",
    "title LIKE[c] '*e*'", "title LIKE '?a*2'", "title MATCHES '.*[0-9]+'", "title MATCHES 'a('",
    "title IN {'x', 'cafe', 'ab1', 'y', $who}", "title IN[c] {'X', 'CAFE', 'y', 'z'}",
    "title IN 'Café 12 x'", "title CONTAINS ''", "n == 2", "n != 2", "n < 2", "n >= $least",
    "n BETWEEN {0, 2}", "n BETWEEN {2}", "n BETWEEN {nil, 2}", "n IN {1, 2, 3, 4}",
    "n IN {1, 2.0, YES, 4, 5}", "m == 0.1", "m != 0.1", "m < 0.1", "0.1 == m", "m > n",
    "n + 1 == 3", "n * m > 0", "0.1 * m > 0.01", "title + 1 == 2", "1 / m == 0", "ANY tags == 'x'",
    "ALL tags LIKE[c] 'c*'", "NONE tags == 'ab1'", "ANY tags CONTAINS[cd] 'AFE'", "tags == {'x'}",
    "ANY title == 'x'", "tags CONTAINS 'x'", "'x' IN tags", "tags.@count > 1", "items.@sum.n > 2",
    "SUBQUERY(items, $i, $i.n == 2 AND $i.title == 'x').@count > 0",
    "SUBQUERY(items, $i, $i.n >= $least AND n == 2).@count == 1", "day > $then", "day == nil",
    "SUBQUERY(tags, $who, $who == 'x').@count == 1", "length(title) > 2", "abs(n) == 1",
    "uppercase(title) == 'X'", "TERNARY(n == 2, title, 'y') == 'x'", "2 + 3 == 5", "1 > 'a'",
    "60 * 60 == 3600 + n - n", "TERNARY(TRUEPREDICATE, m, 1) * 2 == 0.2", "$nobody == 1",
    "{1, 2}[0] == n", "length('abc') + n == 5", "now() > day", "SELF.$key == 'x'", "title == nil",
    "tags == {'x', 'ab1'}", "SELF == nil", "n.foo == 1", "title isEqualTo: 'x'",
    "items.n == {1, 2}",
    "(0.1 + 0.2) * m == 1", "ANY items.n > 1", "ALL items.n != nil", "day BETWEEN {$then, $then}",
  ]
  static let comparisons = comparisonTexts.compactMap { try? PredicateTree(parsing: $0) }

  private mutating func comparison(depth: Int) -> PredicateTree { pick(Self.comparisons) }

  static let variables: [String: Value] = [
    "who": "cafe", "least": 2, "then": .date(Timestamp(microseconds: 5_000_000)), "key": "title",
  ]

  /// Calls the body with predicates and objects; a failure names the seed.
  static func each(
    _ seeds: ClosedRange<UInt64>, _ body: (PredicateTree, [String: Value], UInt64) -> Void
  ) {
    for seed in seeds {
      var world = TreeWorld(seed: seed)
      let tree = world.predicate(depth: 4)
      for _ in 0..<6 { body(tree, world.object(), seed) }
    }
  }
}
