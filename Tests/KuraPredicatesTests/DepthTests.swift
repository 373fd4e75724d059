import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

@Suite struct DepthTests {
  private func nested(_ open: String, _ inside: String, _ close: String, _ count: Int) -> String {
    String(repeating: open, count: count) + inside + String(repeating: close, count: count)
  }

  private func isTooDeep(_ text: String) -> Bool {
    do throws(Diagnostic) {
      _ = try PredicateTree(parsing: text)
      return false
    } catch {
      guard case PredicateSyntaxProblem.tooDeep = error.facts else { return false }
      return (error.span?.end ?? .max) <= text.utf8.count
    }
  }

  @Test func aThousandLevelsAreReadPrintedComparedHashedEvaluatedAndFreed() throws {
    let count = PredicateParser.maximumNesting
    let answers: [(text: String, answer: Bool?)] = [
      (nested("(", "a == 1", ")", count), true), (nested("(", "a", ")", count) + " == 1", true),
      (nested("NOT (", "a == 1", ")", count), true), (nested("! ", "a == 1", "", count), true),
      (nested("{", "", "}", count) + " == 1", nil),
      (nested("abs(", "a", ")", count) + " == 1", true),
      ("a == " + nested("(1 + ", "1", ")", count), false),
      (nested("-", "a", "", count) + " == 1", true),
      (nested("(a == 1 AND (b == 2 OR ", "c == 3", "))", count / 2), false),
      ("a" + nested("[a", "", "]", count) + " == 1", nil),
      ("a" + nested("[0]", "", "", count) + " == 1", nil),
      (nested("~-", "a", "", count / 2) + " == 1", false),
      (nested("TERNARY(a == ", "1", ", 1, 2)", count / 2) + " == 1", true),
    ]
    for (text, answer) in answers {
      let tree = try PredicateTree(parsing: text)
      let again = try PredicateTree(parsing: tree.predicateFormat)
      #expect(again == tree)
      #expect(again.hashValue == tree.hashValue)
      let outcome = Outcome { () throws(Diagnostic) in try tree.evaluate(["a": 1]) }
      #expect(answer.map { outcome == .answer($0) } ?? outcome.isError, "\(text.prefix(40))")
    }
  }

  /// Returns the tree of the deepest nesting that can be parsed.
  private func deepest<Tree>(_ read: (Int) throws -> Tree) throws -> Tree {
    var (fits, tooMany) = (1, 2 * PredicateParser.maximumHeight)
    while fits + 1 < tooMany {
      let middle = (fits + tooMany) / 2
      if (try? read(middle)) == nil { tooMany = middle } else { fits = middle }
    }
    return try read(fits)
  }

  /// Checks that a text with the deepest nesting is parsed again after printing. Redundant brackets
  /// are not printed, and the necessary ones count.
  @Test func theDeepestThatIsReadIsReadAgainAsItPrints() throws {
    for (open, close) in [
      ("!a == 1 AND (NOT !", ")"), ("NOT ! a == 1 OR (", ")"), ("a == 1 AND (b == 2 OR ! ", ")"),
      ("NOT ", ""), ("TRUEPREDICATE AND NOT (", ")"),
    ] {
      let tree = try deepest { count in
        try PredicateTree(parsing: nested(open, "a == 1", close, count))
      }
      #expect(try PredicateTree(parsing: tree.predicateFormat) == tree, "\(open)")
    }
    for (open, close) in [
      ("~-(1 + ", ")"), ("(-", ")[0].b"), ("2 ** (1 - ~", ")"), ("-", ""), ("{1 + (", " UNION b)}"),
    ] {
      let tree = try deepest { count in
        try ExpressionTree(parsing: nested(open, "a", close, count))
      }
      #expect(try ExpressionTree(parsing: tree.expressionFormat) == tree, "\(open)")
    }
  }

  @Test func deeperIsAnErrorWithAPlace() {
    let count = 100_000
    for text in [
      nested("(", "a == 1", ")", count), nested("(", "", "", count),
      nested("NOT ", "a == 1", "", count),
      nested("{", "", "}", count) + " == 1", nested("abs(", "a", ")", count) + " == 1",
      nested("-", "a", "", count) + " == 1", nested("1 + ", "1", "", count) + " == 1",
      "a" + nested("[0]", "", "", count) + " == 1", nested("$x := ", "1", "", count) + " == 1",
      nested("! ", "a == 1", "", count), nested("not not ", "a == 1", "", count),
      nested("~", "a", "", count) + " == 1", nested("a == 1 AND (", "a == 1", ")", count),
      nested("SUBQUERY(a, $x, ", "", "", count), nested("CAST(", "", "", count),
      nested("a UNION ", "b", "", count) + " == c", nested("TERNARY(", "", "", count),
      nested("a.b[0].", "c", "", count) + " == 1", nested("2 ** ", "2", "", count) + " == 1",
    ] {
      #expect(isTooDeep(text), "\(text.prefix(40))")
    }
  }

  @Test func noMixtureOfBracketsIsTooDeepForTheStack() {
    let openings = [
      "(", "{", "abs(", "-", "NOT ", "ANY a IN (", "2 ** (", "TERNARY(a == ", "$x := ",
      "SUBQUERY(a, $x, b IN (", "a.b[0].c[",
    ]
    for first in openings {
      for second in openings {
        let text = nested(first + second, "", "", 1_000)
        #expect(throws: SyntaxError.self) {
          try readInStatement(text).parseExpressionOrPredicate()
        }
      }
    }
  }

  @Test func longChainsAreNotDeep() throws {
    let count = 100_000
    let chain = Array(repeating: "a == 1", count: count).joined(separator: " OR ")
    guard case .or(let parts) = try PredicateTree(parsing: chain).kind else {
      Issue.record("no OR")
      return
    }
    #expect(parts.count == count)
    let list = "a IN {" + Array(repeating: "1", count: count).joined(separator: ", ") + "}"
    guard case .comparison(let comparison) = try PredicateTree(parsing: list).kind,
      case .aggregate(let elements) = comparison.right.kind
    else {
      Issue.record("no list")
      return
    }
    #expect(elements.count == count)
    let path = Array(repeating: "a", count: count).joined(separator: ".")
    _ = try PredicateTree(parsing: path + " == 1")
  }
}
