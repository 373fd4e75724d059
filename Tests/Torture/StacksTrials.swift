import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues
import TestSupport

extension Trial {
  /// Long and deep texts of every construct, nested, on small stacks.
  package static let stacks = Trial(
    "stacks", "with any stack size, a text of any length and depth has a result or a message",
    rounds: 40
  ) { numbers, ground in
    let text = DeepText.some(&numbers)
    let stack = numbers.pick(stackSizes)
    // In a process of its own first: a crash would end this one.
    if numbers.oneIn(4) {
      try runStatements(with: text, stack: stack, &numbers, ground)
    } else {
      try onStack(of: stack) { try useTree(of: text) }
    }
  }

  private static func runStatements(
    with text: String, stack: Int, _ numbers: inout SeededNumbers, _ ground: TrialFolder
  ) throws {
    // With existing keys: a text that is refused early does not go deep.
    let text = numbers.oneIn(4) ? text : text.replacing(/\ba\b/, with: "n")
    let script = DeepText.declarations + numbers.pick(DeepText.statements)
    let outcome = try Program.run(
      ["--no-init", "--keep-going", "--timeout", "20"],
      input: script.replacingOccurrences(of: "%", with: text), in: ground, stack: stack >> 10)
    try hold(
      outcome.signal == nil && outcome.status < 4,
      "status \(outcome.status) with \(stack >> 10) KB for \(text.prefix(200))…")
  }

  /// Performs every operation of the library on a tree.
  private static func useTree(of text: String) throws {
    let tree: PredicateTree
    do { tree = try PredicateTree(parsing: text) } catch { return }
    let again: PredicateTree
    do { again = try PredicateTree(parsing: tree.predicateFormat) } catch {
      throw Finding("its printed text is rejected, \(error): \(text)")
    }
    try hold(
      again == tree && again.hashValue == tree.hashValue, "prints as a different predicate: \(text)"
    )
    _ = try? tree.evaluate(["a": 1])
    _ = try? tree.prepared().evaluate(["a": 1])
    _ = (tree.keyPaths, tree.variables, tree.inNegationNormalForm, tree.simplified)
    _ = try? tree.inConjunctiveForm()
    let kept = try JSONEncoder().encode(tree)
    try hold(
      try JSONDecoder().decode(PredicateTree.self, from: kept) == tree,
      "is encoded as a different predicate")
  }
}

/// Texts of constructs that repeat.
private enum DeepText {
  static let declarations = """
    entity A { title: string; n: integer?; up: A? inverse downs; downs: [A] inverse up }
    insert A title = "x", n = 1
    insert A title = "y", up = A/1

    """

  /// The predicate replaces each `%`.
  static let statements = [
    "count A where %", "explain count A where %", "fetch A select title, TERNARY(%, 1, 2) as b",
    "let $x = TERNARY(%, 1, 2)", "print TERNARY(%, 1, 2)", "update A set n = TERNARY(%, 1, 2)",
    "delete A where %", "request q = fetch A where %\nrun q", "fetch A sort TERNARY(%, 1, 2)",
    "fetch A group by TERNARY(%, 1, 2)", "fetch A group by n having %",
    "entity B { b: integer derived (TERNARY(%, 1, 2)) }\ninsert B\nsave",
    "entity B { b: integer? check (%) }\ninsert B b = 1\nsave",
    "alter entity A add m: integer? derived (TERNARY(%, 1, 2))\nalter entity A rename n to k\nmodel",
    "count A where (exists A where %) == YES", "fetch A section by TERNARY(%, 1, 2) limit 1",
  ]

  /// The text before and after a nested value.
  private static let values: [(String, String)] = [
    ("(", ")"), ("-", ""), ("~", ""), ("{", "}"), ("abs(", ")"), ("1 + ", ""), ("", " * 2"),
    ("2 ** (", ")"), ("TERNARY(1 == 1, ", ", 2)"), ("TERNARY(a == ", ", 1, 2)"), ("a[", "]"),
    ("", "[0]"), ("$x := (", ")"), ("CAST(", ", \"NSString\")"), ("coalesce(NULL, ", ")"),
    ("FUNCTION(", ", \"length\")"), ("{1} UNION ", ""), ("concat(\"a\", ", ")"), ("(", ").a"),
    ("(", ").@count"), ("(", ").a.b[0]"), ("SUBQUERY(", ", $y, 1 == 1)"),
    ("(count A where n == ", ")"),
  ]

  /// The text before and after a nested predicate.
  private static let predicates: [(String, String)] = [
    ("(", ")"), ("NOT ", ""), ("NOT (", ")"), ("!", ""), ("a == 1 AND (", ")"),
    ("(", ") OR a == 1"),
    ("(a == 1 AND (b == 2 OR ", "))"), ("ANY ", ""), ("1 == NOT ", ""), ("NONE ", ""),
    ("SUBQUERY(downs, $y, ", ").@count > 0"), ("TERNARY(", ", 1, 2) == 1"),
    ("exists(fetch A where ", ")"),
    ("(count A where ", ") == 1"), ("a == 1 OR ", ""),
  ]

  /// Long but not deep.
  private static let chains: [(String, String)] = [
    ("up", ".up"), ("downs", ".@count"), ("a", ".$b"), ("1", "+1"), ("1 == 1", " OR 1 == 1"),
    ("{1}", " MINUS {1}"), ("1 IN {1", ", 1"), ("#\"a b\"", ".#\"a b\""), ("1", " == 1"),
    ("1", " ** 1"),
  ]

  private static let counts = [3, 30, 300, 900, 1_100, 3_000, 9_000]

  static func some(_ numbers: inout SeededNumbers) -> String {
    switch numbers.below(5) {
    case 0:
      let chain = numbers.pick(chains)
      let text = chain.0 + String(repeating: chain.1, count: numbers.pick(counts))
      return chain.0.hasPrefix("1 IN") ? text + "}" : text.contains(" == 1") ? text : text + " == 1"
    case 1, 2: return around("1", values, &numbers) + " == 1"
    default:
      let inside = numbers.flip() ? "a == 1" : around("1", values, &numbers) + " == n"
      return around(inside, predicates, &numbers)
    }
  }

  /// Returns a text inside one, two or three alternating constructs.
  private static func around(
    _ inside: String, _ forms: [(String, String)], _ numbers: inout SeededNumbers
  ) -> String {
    let chosen = (0..<numbers.below(3) + 1).map { _ in numbers.pick(forms) }
    let count = numbers.pick(counts) / chosen.count
    let opens = chosen.map(\.0).joined()
    let closes = chosen.reversed().map(\.1).joined()
    return String(repeating: opens, count: count) + inside + String(repeating: closes, count: count)
  }
}
