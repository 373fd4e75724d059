package import KuraDiagnostics
import KuraPredicates
import KuraSentences

/// The effect of Enter at the end of a text: run it, or begin a new line.
package enum Completeness: Sendable {
  /// Every statement in it is complete.
  case complete
  /// The last statement continues; the diagnostic, if any, describes what is missing.
  case incomplete(Diagnostic?)
  /// A statement has an error that nothing that follows could correct.
  case failure(Diagnostic, source: SourceText)

  /// Reads a text as if Enter had just been pressed at its end, without running it.
  ///
  ///     Completeness("fetch MemoDate where")     // incomplete: expected a predicate
  ///     Completeness("fetch MemoDate")           // complete
  ///     Completeness("fetch MemoDate where\n")   // failure: a blank line ends a statement
  ///     Completeness("delete MemoDate")          // failure: expected where PREDICATE or all
  package init(_ text: String) {
    var reader = StatementReader()
    reader.feed(text.utf8)
    reader.feed(CollectionOfOne(UInt8.newline))
    reader.finish()
    self.init(&reader)
  }

  /// Reads the rest of a reader's text.
  init(_ reader: inout StatementReader) {
    while true {
      switch reader.next() {
      case .statement: continue
      case .failure(let diagnostic, let source):
        self =
          diagnostic.facts.isIncomplete && !diagnostic.facts.isRefusedAtEnter
          ? .incomplete(diagnostic) : .failure(diagnostic, source: source)
        return
      case .needsMore, .end:
        self = reader.endsWithContinuation ? .incomplete(nil) : .complete
        return
      }
    }
  }
}

extension Completeness {
  /// The missing part if Enter would not run the text; nil if it would.
  ///
  ///     Completeness("show Item/4").expected     // expected "as" after "Item/4"
  package var expected: String? {
    switch self {
    case .incomplete(let diagnostic?): diagnostic.facts.expected
    case .incomplete(nil): localized("the statement continues on the next line, after the \\")
    case .complete, .failure: nil
    }
  }
}

extension DiagnosticFacts {
  /// A message about what is missing, with its help; for a bracket only that it is still open.
  fileprivate var expected: String {
    if case .unclosed(let bracket, _)? = self as? PredicateSyntaxProblem {
      return localized("\(shown(bracket)) is still open")
    }
    return help.map { "\(sentence); \($0)" } ?? sentence
  }

  fileprivate var isRefusedAtEnter: Bool {
    (self as? StatementProblem)?.isRefusedAtEnter
      ?? (self as? PredicateSyntaxProblem)?.isRefusedAtEnter ?? false
  }
}
