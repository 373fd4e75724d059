import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch
@testable import KuraLearning

@Suite("The words of a fetch")
struct PhraseTests {
  @Test("include all comparison operators", arguments: [Phrases.english, .japanese])
  func operators(phrases: Phrases) {
    #expect(Set(phrases.verbs.keys) == Set(ComparisonOperator.all))
  }
}

@Suite("Predicates that differ in one node")
struct CompareTests {
  @Test("are distinguished by a generated store in 95 of 100 cases")
  func counterexamples() throws {
    let world = try World(seed: 31, items: 1500)
    var dice = Dice(31)
    var (pairs, found) = (0, 0)
    var missed: [String] = []
    let wanted = TestLength.count(100, long: 500)
    while pairs < wanted {
      let entity = dice.pick(["Item", "Item", "Item", "Category", "Tag"])
      let text =
        entity == "Item" ? dice.predicate(depth: 2) : dice.ownerPredicate(entity)
      guard let pair = try world.pair(entity, text, &dice) else { continue }
      pairs += 1
      if try pair.hasCounterexample(seed: UInt64(pairs)) {
        found += 1
      } else {
        missed.append("\(pair.first) | \(pair.second)")
      }
    }
    #expect(found >= wanted * 95 / 100, "\(found) of \(wanted): \(missed.joined(separator: "\n"))")
  }
}

/// Two fetches that differ in a world.
private struct FetchPair {
  let first: FetchTree
  let second: FetchTree
  let world: World
  let comparison: FetchComparison
}

extension FetchPair {
  /// Searches for a generated store, and checks the result with the reference evaluator.
  func hasCounterexample(seed: UInt64) throws -> Bool {
    let environment = world.environment
    var search = CounterexampleSearch(
      (first, environment), (second, environment), of: comparison, seed: seed)
    guard let example = try search.found() else { return false }
    let differing = example.comparison.difference.firstRows()
    #expect(!differing.isEmpty && example.store.objects.count <= 12, "\(first) | \(second)")
    for row in differing {
      let requests = [example.comparison.first, example.comparison.second]
      let answers = try requests.map { request in
        let object = Value.object(ObjectReference(request.object(atRow: row)))
        return try request.predicate?.evaluate(on: object, in: request.environment.evaluation)
      }
      #expect(answers[0] != answers[1], "\(first) | \(second)")
    }
    return true
  }
}

extension World {
  /// Returns a fetch and one that differs in one node; nil if the results do not differ, or cannot be compared.
  fileprivate func pair(_ entity: String, _ text: String, _ dice: inout Dice) throws -> FetchPair? {
    var first = FetchTree(of: FetchSource(.entity(entity)))
    first.predicate = try World.parse(text)
    var second = first
    second.predicate = first.predicate?.mutated(&dice)
    guard first != second, let one = try? first.bound(to: snapshot, environment),
      let other = try? second.bound(to: snapshot, environment),
      let comparison = try? FetchComparison(one, other), !comparison.agrees,
      comparison.generationObstacle([first, second], environment) == nil
    else { return nil }
    return FetchPair(first: first, second: second, world: self, comparison: comparison)
  }
}

extension PredicateTree {
  /// Returns the tree with one node replaced.
  fileprivate func mutated(_ dice: inout Dice) -> PredicateTree {
    var count = 0
    _ = mapNodes { node in
      count += 1
      return node
    }
    var place = dice.below(max(1, count))
    return mapNodes { node in
      defer { place -= 1 }
      return place == 0 ? node.otherwise(&dice) : node
    }
  }

  /// Replaces each node, from the leaves up.
  private func mapNodes(_ body: (PredicateTree) -> PredicateTree) -> PredicateTree {
    let parts = mapParts(predicate: { $0.mapNodes(body) }, expression: { $0 })
    return body(parts)
  }

  private func otherwise(_ dice: inout Dice) -> PredicateTree {
    switch kind {
    case .and(let parts): PredicateTree(.or(parts))
    case .or(let parts): PredicateTree(.and(parts))
    case .not(let inner): inner
    case .constant(let value): PredicateTree(.constant(!value))
    case .truth: PredicateTree(.not(self))
    case .comparison(let comparison): comparison.otherwise(&dice)
    }
  }
}

extension Comparison {
  fileprivate func otherwise(_ dice: inout Dice) -> PredicateTree {
    var result = self
    let orders: [ComparisonOperator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    let searches: [ComparisonOperator] = [.contains, .beginsWith, .endsWith, .like, .equal]
    switch dice.below(4) {
    case 0 where modifier != .direct: result.modifier = modifier == .any ? .all : .any
    case 1 where searches.contains(operation) && operation != .equal:
      result.options.formSymmetricDifference([dice.pick([.caseInsensitive, .diacriticInsensitive])])
    case 2: return PredicateTree(.not(PredicateTree(.comparison(self))))
    default:
      if orders.contains(operation) {
        result.operation = dice.pick(orders)
      } else if searches.contains(operation) {
        result.operation = dice.pick(searches)
      } else {
        return PredicateTree(.not(PredicateTree(.comparison(self))))
      }
    }
    return PredicateTree(.comparison(result))
  }
}
