package import KuraDiagnostics
package import KuraValues

extension Value {
  /// The value, which has lists in lists; throws where they are more than can be written.
  ///
  /// Those of so many levels are measured: rows of several columns have four as a matter of course,
  /// and memory for them; what is put into itself, and that into itself, is written ever longer.
  package func whichCanBeWritten(
    at span: SourceSpan, fromLevel level: Int = 4
  ) throws(Diagnostic) -> Value {
    guard hasLevels(level), let excess else { return self }
    throw Diagnostic(EvaluationFacts.tooLarge(excess), at: span)
  }

  private func hasLevels(_ count: Int) -> Bool {
    guard let elements else { return false }
    return count == 1 || elements.contains { $0.hasLevels(count - 1) }
  }
}
