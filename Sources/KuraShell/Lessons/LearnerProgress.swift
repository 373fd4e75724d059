import KuraDiagnostics
import KuraLessons
import KuraSentences

/// Where a learner's progress is kept.
package struct ProgressFile {
  package var path: String
  /// Nil where there is none yet.
  package var read: () throws -> [UInt8]?
  package var write: ([UInt8]) throws -> Void
  /// Gives a file that is none another name.
  package var putAside: () -> Void
}

/// What a learner has solved, in a session and in the file of the learner's own.
final class LearnerProgress {
  private let file: ProgressFile?
  private var loaded: LessonProgress?
  /// What could not be read or written, until it is said.
  private var problem: LessonSaying?

  init(_ file: ProgressFile?) { self.file = file }

  /// As it was read first, with all that was noted since.
  var known: LessonProgress {
    if let loaded { return loaded }
    let read = read()
    loaded = read
    return read
  }

  private func read() -> LessonProgress {
    guard let file, let bytes = try? file.read() else { return LessonProgress() }
    if let progress = LessonProgress(reading: bytes) { return progress }
    file.putAside()
    problem = .progressDamaged(path: file.path)
    return LessonProgress()
  }

  func note(place: String?) { change { $0.place = place ?? $0.place } }

  func noteTry(_ lesson: String) {
    change { $0.lessons[lesson, default: .init()].tries += 1 }
  }

  func noteSolved(_ lesson: String, _ task: Int) {
    change { $0.lessons[lesson, default: .init()].solved.insert(task) }
  }

  /// A level that was mastered before stays so.
  func noteQuiz(_ subject: String, level: Int) {
    change { $0.quiz[subject] = max($0.quiz[subject] ?? 0, level) }
  }

  /// What another session has noted meanwhile stays.
  private func change(_ body: (inout LessonProgress) -> Void) {
    var progress = known
    body(&progress)
    progress = progress.merged(with: read())
    loaded = progress
    guard let file else { return }
    do { try file.write(progress.bytes) } catch {
      problem = problem ?? .progressLost(path: file.path)
    }
  }

  func takeProblem() -> LessonSaying? {
    defer { problem = nil }
    return problem
  }
}

extension Session {
  /// Says once that progress is not kept; the lesson goes on.
  func reportLostProgress() {
    guard let problem = progress.takeProblem() else { return }
    report(localized("warning: ") + say(problem))
  }
}
