import Foundation
import KuraDiagnostics
import KuraValues
import Testing

@testable import KuraPredicates

@Suite("A rewritten tree")
struct RewritingTests {
  private func outcome(_ tree: PredicateTree, _ object: [String: Value]) -> Outcome {
    Outcome { () throws(Diagnostic) in
      try tree.evaluate(object, variables: TreeWorld.variables)
    }
  }

  @Test("is equivalent after simplification, including errors, and is not simplified further")
  func simplifiedEquals() {
    TreeWorld.each(1...1500) { tree, object, seed in
      let simple = tree.simplified
      let (old, new) = (outcome(tree, object).words, outcome(simple, object).words)
      #expect(old == new, "seed \(seed): \(tree) became \(simple)")
      #expect(simple.simplified == simple, "seed \(seed): \(simple)")
    }
  }

  @Test("is the opposite after negation")
  func negatedIsOpposite() {
    TreeWorld.each(1...300) { tree, object, seed in
      let (old, new) = (outcome(tree, object), outcome(tree.negated, object))
      if case .answer(let yes) = old { #expect(new == .answer(!yes), "seed \(seed): \(tree)") }
      #expect(old.isError == new.isError, "seed \(seed): \(tree)")
    }
  }

  @Test("is equivalent in negation normal form, with NOT only before comparisons")
  func negationNormalForm() {
    TreeWorld.each(1...1500) { tree, object, seed in
      let normal = tree.inNegationNormalForm
      let (old, new) = (outcome(tree, object), outcome(normal, object))
      #expect(old.isError == new.isError && (old.isError || old == new), "seed \(seed): \(tree)")
      normal.walk { node, _ in
        if case .predicate(let part) = node, case .not(let inside) = part.kind {
          guard case .comparison = inside.kind else {
            Issue.record("seed \(seed): \(normal)")
            return .over
          }
        }
        return .into
      }
    }
  }

  @Test("is equivalent in conjunctive form unless an error comes early")
  func conjunctiveForm() {
    var (same, early, tooLarge) = (0, 0, 0)
    TreeWorld.each(1...1500) { tree, object, seed in
      guard let form = try? tree.inConjunctiveForm(limit: 2000) else {
        tooLarge += 1
        return
      }
      let (old, new) = (outcome(tree, object), outcome(form, object))
      if old == new { same += 1 } else { early += 1 }
      #expect(old == new || new.isError, "seed \(seed): \(tree) became \(form)")
      #expect(form.isConjunctive, "seed \(seed): \(form)")
    }
    #expect(same + early + tooLarge == 9000)
    #expect(same > 7500, "\(same) the same, \(early) fail early, \(tooLarge) have no form")
  }

  @Test("is equivalent with its variables substituted")
  func substituted() {
    TreeWorld.each(1...800) { tree, object, seed in
      let whole = tree.substituting(TreeWorld.variables)
      let without = Outcome { () throws(Diagnostic) in try whole.evaluate(object) }
      #expect(outcome(tree, object).words == without.words, "seed \(seed): \(tree), \(object)")
      #expect(whole.variables.allSatisfy { $0 == "nobody" }, "seed \(seed): \(whole)")
    }
  }

  static let simple: [(String, String)] = [
    ("NOT (NOT a > 60 * 60) AND (TRUEPREDICATE AND b == 1)", "a > 3600 AND b == 1"),
    ("a == 1 AND (b == 2 AND (c == 3 AND d == 4))", "a == 1 AND b == 2 AND c == 3 AND d == 4"),
    ("a == 1 AND FALSEPREDICATE AND b == 2", "a == 1 AND FALSEPREDICATE"),
    ("FALSEPREDICATE AND a == 1", "FALSEPREDICATE"), ("1 < 2 OR a == 1", "TRUEPREDICATE"),
    ("a == 0.5 + 0.5", "a == 0.5 + 0.5"), ("a == 1 / 0", "a == 1 / 0"),
    ("a IN {1 + 1, b}", "a IN {2, b}"), ("a == TERNARY(1 == 1, 'x', b)", "a == \"x\""),
    ("a == now() AND 1 < 'a'", "a == now() AND 1 < \"a\""),
  ]
  @Test("has the expected form", arguments: simple)
  func simplifies(text: String, expected: String) throws {
    #expect(try PredicateTree(parsing: text).simplified.predicateFormat == expected)
  }

  static let normal: [(String, String)] = [
    ("NOT (a == 1 AND b < 2)", "a != 1 OR (NOT b < 2)"),
    ("NOT (ANY a == 1 OR NOT b LIKE 'x')", "ALL a != 1 AND b LIKE \"x\""),
    ("NOT ALL a != 1", "ANY a == 1"), ("NOT TRUEPREDICATE", "FALSEPREDICATE"),
  ]
  @Test("has NOT in the expected places", arguments: normal)
  func pushesNot(text: String, expected: String) throws {
    #expect(try PredicateTree(parsing: text).inNegationNormalForm.predicateFormat == expected)
  }

  @Test("is not larger than allowed")
  func limit() throws {
    let tree = try PredicateTree(parsing: "a == 1 OR (b == 2 AND c == 3)")
    #expect(
      try tree.inConjunctiveForm().predicateFormat
        == "(a == 1 OR b == 2) AND (a == 1 OR c == 3)")
    let parts = (0..<40).map { "(a == \($0) AND b == \($0))" }
    let large = try PredicateTree(parsing: parts.joined(separator: " OR "))
    let error = #expect(throws: Diagnostic.self) { try large.inConjunctiveForm() }
    #expect(error?.facts.sentence == "the conjunctive normal form has more than 10000 comparisons")
  }

  static let nests = [("NOT ", ""), ("(a == 1 AND (b == 2 OR ", "))"), ("(", " AND a == 1)")]
  @Test("may be as deep as the parser allows", arguments: nests)
  func nested(open: String, close: String) throws {
    let count = PredicateParser.maximumNesting / (open.count > 10 ? 2 : 1)
    let text =
      String(repeating: open, count: count) + "c == $x" + String(repeating: close, count: count)
    let tree = try PredicateTree(parsing: text).substituting(["x": .date(.now)])
    let object: [String: Value] = ["a": 1, "b": 2]
    let answer = try tree.evaluate(object)
    #expect(try tree.prepared().evaluate(object) == answer)
    #expect(try tree.simplified.inNegationNormalForm.evaluate(object) == answer)
    #expect(try tree.inConjunctiveForm(limit: 1_000_000).evaluate(object) == answer)
    #expect(tree.keyPaths.count <= 3)
    #expect(try JSONDecoder().decode(PredicateTree.self, from: JSONEncoder().encode(tree)) == tree)
  }

  @Test("may have any length")
  func long() throws {
    let text = (0..<9000).map { "a == \($0)" }.joined(separator: " OR ")
    let form = try PredicateTree(parsing: text).simplified.inConjunctiveForm()
    #expect(try form.prepared().evaluate(["a": 8999]))
  }

  @Test("keeps the variable of a SUBQUERY")
  func boundVariables() throws {
    let tree = try PredicateTree(
      parsing: "SUBQUERY($i, $i, $i.done == $x AND SELF.$key == 1).@count > 2")
    #expect(tree.variables == ["i", "x", "key"])
    let whole = tree.substituting(["i": "a", "x": 1, "key": "b.c"])
    #expect(
      whole.predicateFormat == "SUBQUERY(\"a\", $i, $i.done == 1 AND SELF.b.c == 1).@count > 2")
  }
}

extension PredicateTree {
  fileprivate var isConjunctive: Bool {
    let clauses = if case .and(let parts) = kind { parts } else { [self] }
    return clauses.allSatisfy { clause in
      let parts = if case .or(let parts) = clause.kind { parts } else { [clause] }
      return parts.allSatisfy {
        switch $0.kind {
        case .comparison, .not, .constant, .truth: true
        case .and, .or: false
        }
      }
    }
  }
}
