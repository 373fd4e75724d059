import KuraDiagnostics
import KuraPredicates
import KuraValues
import Testing

/// Long texts without depth, which programs generate.
@Suite("Long texts")
struct LongTextTests {
  private static let count = 20_000

  private static func many(_ text: String, _ separator: String) -> String {
    Array(repeating: text, count: count).joined(separator: separator)
  }

  static let texts: [String] = [
    many("a == 1", " OR "), many("a == 2", " AND "), many("NOT a == 1", "&&"),
    many("(a == 1 AND b == 2)", " OR "), many("ANY {1} == 2", " OR "),
    "a IN {" + many("1", ", ") + "}", "a IN {" + many("\"x\"", ",") + "}",
    "a IN {" + many("1.5", ",") + "}", "a IN {" + many("$x", ",") + "}",
    "{" + many("{}", ",") + "}[SIZE] == 1", "sum(" + many("1", ",") + ") == 3",
    "concat(" + many("'x'", ",") + ") == b",
  ]

  @Test("are read, printed, compared, hashed and evaluated", arguments: texts.indices)
  func wide(place: Int) throws {
    let text = Self.texts[place]
    let tree = try PredicateTree(parsing: text)
    let again = try PredicateTree(parsing: tree.predicateFormat)
    #expect(again == tree)
    #expect(again.hashValue == tree.hashValue)
    _ = try tree.evaluate(["a": 2, "b": "x"], variables: ["x": 2])
  }

  @Test func aPathMayHaveAnyNumberOfKeys() throws {
    let text = Self.many("a", ".") + " == nil"
    let tree = try PredicateTree(parsing: text)
    #expect(tree.predicateFormat == text)
    #expect(try tree.evaluate([:]))
  }

  @Test func aStringMayHaveMegabytes() throws {
    for piece in ["x", "誕", "\\n", "\\u8A95"] {
      let inside = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
      let tree = try PredicateTree(parsing: "b == \"\(inside)\"")
      #expect(try PredicateTree(parsing: tree.predicateFormat) == tree)
    }
  }

  @Test func blanksMayBeMany() throws {
    for blank in [" ", "\n", "\t", "\r\n"] {
      let blanks = String(repeating: blank, count: 100_000)
      let tree = try PredicateTree(parsing: "a\(blanks)==\(blanks)1\(blanks)")
      #expect(tree.predicateFormat == "a == 1")
    }
  }

  @Test func argumentsMayBeMany() throws {
    let arguments = (0..<Self.count).map { Value.integer(Int64($0)) }
    let tree = try PredicateTree(
      format: "a IN {" + Self.many("%@", ", ") + "}", arguments: arguments)
    #expect(try tree.evaluate(["a": 19_999]))
    #expect(try !tree.evaluate(["a": 20_000]))
  }

  /// Checks that each lookahead happens once; each of these was quadratic or could have been.
  @Test func whatIsWrongIsFoundInOnePass() {
    let wrong = [
      String(repeating: "a IN (", count: 900) + Self.many("1", ","),
      String(repeating: "(", count: 900) + Self.many("1", ",") + String(repeating: ")", count: 900),
      Self.many("a:b", ":") + "(1)", Self.many("a:", " "), Self.many("a ＝ 1", " OR "),
      "a IN [" + Self.many("1", ",") + "]", "a == \"" + Self.many("x", " "), Self.many("'", " "),
      "a.contains(" + Self.many("(", " "), "a == " + Self.many("9", ""),
      Self.many("k", "") + "(1) == 1", "a " + Self.many("k", "") + " 1", Self.many("a IS", " "),
      "a == " + Self.many("+", ""), "a " + Self.many("=", " ") + " 1", Self.many("?", ""),
    ]
    for text in wrong {
      do throws(Diagnostic) {
        _ = try PredicateTree(parsing: text)
        Issue.record("\(text.prefix(40)) was read")
      } catch {
        #expect(error.facts.sentence.utf8.count < 200)
        #expect((error.facts.help?.utf8.count ?? 0) < 400)
        #expect((error.span?.end ?? .max) <= text.utf8.count)
      }
    }
  }
}
