import KuraDiagnostics
import KuraValues
import Testing

@testable import KuraPredicates

@Suite("A prepared predicate")
struct PreparedTests {
  @Test("is tested with predicates that usually have a result")
  func worldIsSome() {
    #expect(TreeWorld.comparisons.count == TreeWorld.comparisonTexts.count)
    var counts: [String: Int] = [:]
    TreeWorld.each(1...200) { tree, object, _ in
      let outcome = Outcome { () throws(Diagnostic) in
        try tree.evaluate(object, variables: TreeWorld.variables)
      }
      counts[outcome.isError ? "error" : outcome.words, default: 0] += 1
    }
    #expect(counts.count == 3 && counts.values.allSatisfy { $0 > 60 }, "\(counts)")
  }

  @Test("has the results and errors of its tree")
  func sameAsReference() {
    TreeWorld.each(1...1500) { tree, object, seed in
      let context = EvaluationContext(variables: TreeWorld.variables)
      let root = Value.object(ObjectReference(object))
      let plain = Outcome { () throws(Diagnostic) in try tree.evaluate(on: root, in: context) }
      let prepared = Outcome { () throws(Diagnostic) in
        try PreparedPredicate(tree, in: context).evaluate(value: root)
      }
      #expect(plain == prepared, "seed \(seed): \(tree), \(object)")
    }
  }

  @Test("has them for any tree that can be parsed")
  func anyTree() {
    for seed in 1...300 as ClosedRange<UInt64> {
      var (trees, world) = (RandomTrees(seed: seed), TreeWorld(seed: seed))
      let tree = trees.predicate(depth: 4)
      let context = EvaluationContext(variables: ["x": world.pick([1, "title", ["a"]])])
      let root = Value.object(ObjectReference(world.object()))
      let plain = Outcome { () throws(Diagnostic) in try tree.evaluate(on: root, in: context) }
      let prepared = Outcome { () throws(Diagnostic) in
        try PreparedPredicate(tree, in: context).evaluate(value: root)
      }
      #expect(plain == prepared, "seed \(seed): \(tree)")
    }
  }

  @Test("reads the time when it is evaluated")
  func clock() throws {
    let before = try PredicateTree(parsing: "now() > $then").prepared(
      variables: ["then": .date(.now)])
    let first = Timestamp.now
    while Timestamp.now == first {}
    #expect(try before.evaluate([:]))
  }
}
