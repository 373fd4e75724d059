import KuraDiagnostics
import KuraLessons
import KuraSentences

/// The file with a learner's progress.
package struct ProgressFile {
  package var path: String
  /// Reads the file; nil if it does not exist.
  package var read: () throws -> [UInt8]?
  package var write: ([UInt8]) throws -> Void
  /// Renames a file that cannot be read.
  package var putAside: () -> Void
}

/// The tasks that a learner has solved, in this session and in the learner's file.
final class LearnerProgress {
  private let file: ProgressFile?
  private var loaded: LessonProgress?
  /// A problem with reading or writing, until it is reported.
  private var problem: LessonMessage?

  init(_ file: ProgressFile?) { self.file = file }

  /// The progress as it was first read, with everything noted since.
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

  /// Notes a mastered level; a higher one that was noted before remains.
  func noteQuiz(_ subject: String, level: Int) {
    change { $0.quiz[subject] = max($0.quiz[subject] ?? 0, level) }
  }

  /// Changes the progress, and merges it with what another session has noted meanwhile.
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

  func takeProblem() -> LessonMessage? {
    defer { problem = nil }
    return problem
  }
}

extension Session {
  /// Reports once that progress is not stored; the lesson continues.
  func reportLostProgress() {
    guard let problem = learning.progress.takeProblem() else { return }
    report(localized("warning: ") + say(problem))
  }
}
