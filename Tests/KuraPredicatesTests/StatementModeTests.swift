import KuraDiagnostics
import KuraPredicates
import Testing

@Suite struct StatementModeTests {
  private func expression(_ text: String) throws -> String {
    let parser = try readInStatement(text)
    let tree = try outcome { () throws(SyntaxError) in
      let tree = try parser.parseExpressionOrPredicate()
      try parser.parseEnd()
      return tree
    }.get()
    return "\(tree)"
  }

  @Test func anObjectIsOneNodeOnlyWhereAQuotientWouldMeanTheSame() throws {
    for (text, printed) in [
      ("E/17", "E/17"), ("E / 17", "E / 17"), ("E/17 * 2", "(E/17) * 2"),
      ("a*b/17", "(a * b) / 17"),
      ("x - E/17", "x - (E/17)"), ("x / E/17", "(x / E) / 17"), ("E/17**2", "E / (17 ** 2)"),
      ("-E/17", "(0 - E) / 17"), ("a.b/17", "a.b / 17"), ("E/17.b", "E/17.b"),
      ("E/0x11", "E / 17"), ("E/1.5", "E / 1.5"), ("#\"my e\"/3", "#\"my e\"/3"),
    ] {
      #expect(try expression(text) == printed)
    }
  }

  @Test func aBooleanKeyIsAPredicateWhereAnExpressionIsWanted() throws {
    for text in [
      "NOT done", "done AND late", "done OR (NOT late)", "NOT (done OR a == 1)", "a == 1",
      "NOT $x", "NOT a[0]", "coalesce(done, 0) AND late",
    ] {
      #expect(try expression(text) == text)
    }
    for text in ["NOT 3", "NOT \"x\"", "{} AND done", "sum:(done AND late)", "SUBQUERY(a, $x, $x)"]
    {
      #expect(throws: Diagnostic.self) { try expression(text) }
    }
  }

  @Test func aPatternWithASingleBackslashIsAWarningWithAFix() throws {
    let text = #"a MATCHES "\d\bx\\w""#
    let parser = try readInStatement(text)
    _ = try outcome { () throws(SyntaxError) in try parser.parsePredicate() }.get()
    #expect(parser.warnings.map(\.severity) == [.warning, .warning])
    var corrected = text
    for fix in parser.warnings.compactMap(\.fixIt).sorted(by: { $0.span.start > $1.span.start }) {
      corrected = fixed(corrected, fix)
    }
    #expect(corrected == #"a MATCHES "\\d\\bx\\w""#)
  }
}
