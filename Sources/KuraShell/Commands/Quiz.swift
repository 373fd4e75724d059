import KuraDiagnostics
import KuraScript

extension QuizStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {}
}
