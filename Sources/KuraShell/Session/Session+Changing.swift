import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraStore

extension Session {
  /// What rules of the model are told: the moment, and where dates have a day.
  var evaluation: EvaluationContext {
    EvaluationContext(
      now: surroundings.now(), zone: state.zone, locale: state.locale, nilArithmeticIsNil: true,
      cancel: surroundings.cancel)
  }

  /// Changes objects as one undo group: all of it or, with an error, nothing.
  ///
  /// An error without a place of its own is shown at `place`.
  mutating func change<Result>(
    _ name: String, at place: StatementPlace, _ edit: (inout GraphEditor) throws -> Result
  ) throws -> Performed<Result> {
    let (evaluation, isValidating) = (evaluation, state.isValidating)
    // The first save wants the document's name: it is worked out meanwhile.
    if state.context.isUntouched { state.store.keeper?.prepareToSave() }
    do {
      let done = try state.context.perform(
        name, in: evaluation,
        accept: isValidating
          ? { try $0.checkRules(after: $1, in: evaluation, at: place.span) } : nil, edit)
      // It is done: nothing may say that it took too long.
      deadline.stop()
      state.trace.add(done.change, at: place)
      return done
    } catch let diagnostic as Diagnostic {
      throw Failure.placed(diagnostic, at: place.span)
    }
  }
}

extension Graph {
  /// Under `.validate on` what breaks a rule is not done at all.
  fileprivate func checkRules(
    after change: ChangeSet, in evaluation: EvaluationContext, at span: SourceSpan
  ) throws {
    let failures = validationFailures(after: change, in: evaluation)
    try evaluation.cancel.check()
    guard !failures.isEmpty else { return }
    throw Failure(
      [Diagnostic(ShellFacts.refusedByRules, at: span)]
        + failures.map { Diagnostic(ChangeFacts.invalid($0), severity: .note) })
  }
}
