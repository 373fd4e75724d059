package import KuraDiagnostics
package import KuraValues

extension Value {
  /// Returns the value; throws if its nested lists are larger than can be written.
  ///
  /// Only values with at least `level` levels are measured. Rows of several columns normally have
  /// four. A value that contains itself repeatedly takes little memory, but its text grows
  /// exponentially.
  package func checkedForWriting(
    at span: SourceSpan, fromLevel level: Int = 4
  ) throws(Diagnostic) -> Value {
    guard hasLevels(level), let excess else { return self }
    throw Diagnostic(EvaluationError.tooLarge(excess), at: span)
  }

  private func hasLevels(_ count: Int) -> Bool {
    guard let elements else { return false }
    return count == 1 || elements.contains { $0.hasLevels(count - 1) }
  }
}
