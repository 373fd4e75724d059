import KuraDiagnostics
import KuraScript

/// `quiz`, `quiz MemoDate seed 7`, `quiz end`
extension QuizStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {
    isEnd ? try session.endQuiz() : try session.beginQuiz(entity, seed: seed)
  }
}
