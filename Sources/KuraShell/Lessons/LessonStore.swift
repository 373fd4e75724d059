import Foundation
import KuraDiagnostics
import KuraLessons
import KuraSentences
import KuraStore
import KuraValues

/// Finds lessons and their stores: in the program, or in files of a teacher.
struct LessonStore {
  let services: SystemServices

  init(_ services: SystemServices) { self.services = services }

  /// Returns a lesson in a file, or a lesson of Kura by its number.
  func lesson(at path: String) throws(Failure) -> Lesson {
    if let own = own(path) { return own }
    let bytes = try services.readFile(path)
    do throws(LessonProblems) {
      return try LessonReader.read(String(decoding: bytes, as: UTF8.self), file: path)
    } catch { throw Failure(error.diagnostics) }
  }

  /// Returns the lesson of a number, which is not in a folder.
  private func own(_ number: String) -> Lesson? {
    let number = Int(number)
    var lesson = LessonLibrary.lessons(in: .current).first { $0.number == number }
    lesson?.file = ""
    return lesson
  }

  /// Returns a copy of a lesson's store: from the lesson's folder, or the one of that name that
  /// comes with Kura.
  func contents(for lesson: Lesson) throws(Failure) -> StoreContents {
    let path =
      lesson.file.hasSuffix(".md")
      ? try NamedStore(lesson.store, namedIn: lesson.file).pathInSameFolder() : nil
    let bytes = try path.map { path throws(Failure) in try services.readFile(path) }
    guard let bytes = bytes ?? LessonLibrary.store(named: lesson.store) else {
      throw Failure(LessonProblem.noStore(lesson.store, known: LessonLibrary.storeNames))
    }
    do throws(StoreProblems) { return try StoreReader(bytes).read() } catch { throw Failure(error) }
  }

  /// Returns the store of a lesson of Kura, which is in the program and not in a folder.
  func contents(ofOwn lesson: Lesson) throws(Failure) -> StoreContents {
    var lesson = lesson
    lesson.file = ""
    return try contents(for: lesson)
  }
}

extension StoreContents {
  /// The zone of its dates.
  var zone: ZoneRules {
    timeZoneID.flatMap(TimeZone.init(identifier:)).map { ZoneRules($0) } ?? .utc
  }
}

/// The reasons why a lesson cannot be opened or continued.
enum LessonProblem: DiagnosticFacts {
  /// `lesson 99`
  case noLesson(String, count: Int)
  /// `lesson 6.9`
  case noTask(String, count: Int)
  /// `store: Nothing.json`
  case noStore(String, known: [String])
  /// `lesson 1` with unsaved changes
  case unsaved
  /// `hint` outside a lesson
  case notInLesson(String)

  var sentence: String {
    switch self {
    case .noLesson(let number, _): localized("there is no lesson \(number)")
    case .noTask(let place, _): localized("there is no task \(place)")
    case .noStore(let name, _): localized("there is no store \"\(name)\"")
    case .unsaved: localized("there are unsaved changes")
    case .notInLesson("answer"):
      localized("nothing to answer: no lesson or quiz is open")
    case .notInLesson(let word):
      localized("nothing to \(word.localized): no lesson or quiz is open")
    }
  }

  var help: String? {
    switch self {
    case .noLesson(_, let count):
      localized("lessons are numbered 1 to \(count); \"lesson\" lists them")
    case .noTask(_, let count): localized("the lesson has \(counted(count, "task", "tasks"))")
    case .noStore(let name, let known):
      didYouMean(nearNames(to: name, among: known))
        ?? localized("put it next to the lesson's file, or use \(known.list)")
    case .unsaved: localized("save or rollback, then start the lesson")
    case .notInLesson: localized("lesson 1 starts the first lesson, quiz starts a quiz")
    }
  }
}

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
  private var problem: String?

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
    problem = localized(
      "\(file.path) is not a progress file; it was renamed to \(file.path).damaged")
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
      problem = problem ?? localized("your progress cannot be saved in \(file.path)")
    }
  }

  func takeProblem() -> String? {
    defer { problem = nil }
    return problem
  }
}

extension Session {
  /// Reports once that progress is not stored; the lesson continues.
  func reportLostProgress() {
    guard let problem = learning.progress.takeProblem() else { return }
    report(localized("warning: ") + problem)
  }
}
