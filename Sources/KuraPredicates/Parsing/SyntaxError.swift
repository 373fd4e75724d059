package import KuraDiagnostics

/// A diagnostic on its way out of a parser; a reference, so that the parser's frames stay small.
package final class SyntaxError: Error {
  package let diagnostic: Diagnostic

  package init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

  package convenience init(
    _ facts: any DiagnosticFacts, at span: SourceSpan, fixIt: FixIt? = nil
  ) {
    self.init(Diagnostic(facts, at: span, fixIt: fixIt))
  }
}
