import KuraDiagnostics
import KuraGraph
import KuraPredicates

extension Session {
  /// What rules of the model are told: the moment, and where dates have a day.
  var evaluation: EvaluationContext {
    EvaluationContext(
      now: surroundings.now(), zone: state.zone, locale: state.locale, nilArithmeticIsNil: true,
      cancel: surroundings.cancel)
  }

  /// Changes objects as one undo group: all of it or, with an error, nothing.
  ///
  /// An error without a place of its own is shown at `span`.
  mutating func change<Result>(
    _ name: String, at span: SourceSpan, _ edit: (inout GraphEditor) throws -> Result
  ) throws -> Performed<Result> {
    let evaluation = evaluation
    do {
      return try state.context.perform(name, in: evaluation, edit)
    } catch let diagnostic as Diagnostic {
      throw Failure.placed(diagnostic, at: span)
    }
  }
}
