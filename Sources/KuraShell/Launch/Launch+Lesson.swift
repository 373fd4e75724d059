import KuraDiagnostics
import KuraModel
import KuraScript
import KuraSentences

extension Launch {
  /// `kura lesson`, `kura lesson 6`, `kura lesson mine.md`: a conversation that begins in a lesson.
  mutating func takeLesson() throws(Failure) {
    guard store == .file("lesson"), !creates else { return }
    guard statements.count <= 1, scripts.isEmpty else { throw Failure(LessonLaunchFacts.tooMuch) }
    let name = statements.first ?? ""
    let isNumber = name.allSatisfy { $0.isNumber || $0 == "." }
    opening =
      name.isEmpty ? "" : isNumber ? "lesson \(name)" : "lesson \(StatementText.string(name))"
    (store, statements) = (nil, [])
  }
}

/// What is wrong behind `kura lesson`.
private enum LessonLaunchFacts: DiagnosticFacts {
  case tooMuch

  var sentence: String {
    localized("behind kura lesson stands the number or the file of one lesson")
  }
  var help: String? { localized("kura lesson check and kura lesson grade take several files") }
}
