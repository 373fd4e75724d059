package import KuraDiagnostics
import KuraPredicates

/// What Enter does at the end of a text: run it, or open a new line.
package enum Completeness: Sendable {
  /// Every statement in it is complete.
  case complete
  /// The last statement goes on; the diagnostic, if there is one, says what is missing.
  case incomplete(Diagnostic?)
  /// A statement in it is wrong, and nothing that follows could mend it.
  case failure(Diagnostic, source: SourceText)

  /// Reads a text as if Enter had just been pressed at its end; nothing is run.
  ///
  ///     Completeness("fetch MemoDate where")     // incomplete: expected a predicate
  ///     Completeness("fetch MemoDate")           // complete
  ///     Completeness("fetch MemoDate where\n")   // failure: a blank line ends a statement
  ///     Completeness("delete MemoDate")          // failure: which of them has to be said
  package init(_ text: String) {
    var reader = StatementReader()
    reader.feed(text.utf8)
    reader.feed(CollectionOfOne(UInt8.newline))
    reader.finish()
    self.init(&reader)
  }

  /// Reads on to the end of what a reader has.
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

extension DiagnosticFacts {
  fileprivate var isRefusedAtEnter: Bool {
    (self as? StatementFacts)?.isRefusedAtEnter
      ?? (self as? PredicateSyntaxFacts)?.isRefusedAtEnter ?? false
  }
}
