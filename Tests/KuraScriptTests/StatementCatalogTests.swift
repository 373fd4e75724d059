import KuraDiagnostics
import KuraPredicates
import Testing

@testable import KuraScript

@Suite struct StatementCatalogTests {
  @Test func everyExampleIsOneStatementThatBeginsWithItsName() {
    for syntax in StatementCatalog.all {
      var reader = StatementReader()
      reader.feed(syntax.example.utf8)
      reader.finish()
      guard case .statement(let statement, let source) = reader.next(), case .end = reader.next()
      else {
        Issue.record("\(syntax.example)")
        continue
      }
      #expect(source.text(statement.span) == syntax.example)
      #expect(syntax.example.hasPrefix(syntax.name))
      #expect(syntax.synopsis.contains(syntax.name))
      #expect(!syntax.summary.isEmpty)
    }
  }

  @Test func everyStatementIsFoundByItsWordsInAnyCase() {
    for syntax in StatementCatalog.all {
      for word in [syntax.name] + syntax.otherFirstWords {
        #expect(StatementCatalog.syntax(beginning: word.uppercased())?.name == syntax.name)
      }
    }
    let names = StatementCatalog.all.map(\.name)
    #expect(Set(names).count == names.count)
  }
}

@Suite struct CompletenessTests {
  private func word(_ text: String) -> String {
    switch Completeness(text) {
    case .complete: "complete"
    case .incomplete: "incomplete"
    case .failure: "failure"
    }
  }

  @Test func whatCouldGoOnOpensALine() {
    for text in [
      "fetch", "fetch A where", "fetch A where title ==", "fetch A where (a == 1\n\n  AND b == 2",
      "fetch A sort a,", "print 1 +", "print 1 \\", "let $x =", "insert A {\"a\": [1,",
      "entity A {",
      "delete A where", "delete A \\", "update A", "update A set b =", "delete",
      "entity A {\n  a: string", "print 1; print", "print {1,\n2,", "print length(",
    ] {
      #expect(word(text) == "incomplete", "\(text)")
    }
  }

  @Test func whatIsCompleteRuns() {
    for text in [
      "", "   ", "-- only a comment", "fetch A", "fetch A;", "print (1\n)", ".mode json", "quit",
      "delete A all", "delete A/3", "update A/3 set b = 1", "print 1; print 2",
      "entity A {\n  a: string\n}", "insert A {\"a\": [1]}", "print 1 \\\n",
    ] {
      #expect(word(text) == "complete", "\(text)")
    }
  }

  @Test func whatNothingCouldMendFailsAtOnce() {
    for text in [
      "fetsh", "fetch A where a === 1", "print \"x", "fetch A where\n", "print 1 +\n\n2",
      "fetch A where (a ==[x", "print 1 2", "delete A", "trace A", "trace A/1",
      "fetch A where a == 1 OR 2", "fetch A where title", "fetch A where NOT a",
      "fetch A where a == \"x\" OR \"y\"", "update A set b = 1",
      "delete A -- all?",
      "insert A {\"a\": ]", "print (1;", ".open \"x",
    ] {
      #expect(word(text) == "failure", "\(text)")
    }
  }
}
