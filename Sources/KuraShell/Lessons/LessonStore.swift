import Foundation
import KuraDiagnostics
import KuraLessons
import KuraSentences
import KuraStore
import KuraValues

/// Finds lessons and the stores that they are about: in the program, or in files of a teacher.
struct LessonStore {
  let surroundings: Surroundings

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// A lesson of a teacher, or by its number one that comes with Kura.
  func lesson(at path: String) throws(Failure) -> Lesson {
    if let own = own(path) { return own }
    let bytes = try surroundings.readFile(path)
    do throws(LessonProblems) {
      return try LessonReader.read(String(decoding: bytes, as: UTF8.self), file: path)
    } catch { throw Failure(error.diagnostics) }
  }

  /// The lesson of a number, which is in no folder.
  private func own(_ number: String) -> Lesson? {
    let number = Int(number)
    var lesson = LessonLibrary.lessons(in: .current).first { $0.number == number }
    lesson?.file = ""
    return lesson
  }

  /// A copy of the store that a lesson is about: beside the lesson's file, else the one of that name that
  /// comes with Kura.
  func contents(for lesson: Lesson) throws(Failure) -> StoreContents {
    let path =
      lesson.file.hasSuffix(".md")
      ? try NamedStore(lesson.store, namedIn: lesson.file).pathBeside() : nil
    let bytes = try path.map { path throws(Failure) in try surroundings.readFile(path) }
    guard let bytes = bytes ?? LessonLibrary.store(named: lesson.store) else {
      throw Failure(LessonFacts.noStore(lesson.store, known: LessonLibrary.storeNames))
    }
    do throws(StoreProblems) { return try StoreReader(bytes).read() } catch { throw Failure(error) }
  }

  /// A lesson that comes with Kura is in no folder: its store is the one in the program.
  func contents(ofOwn lesson: Lesson) throws(Failure) -> StoreContents {
    var lesson = lesson
    lesson.file = ""
    return try contents(for: lesson)
  }
}

extension StoreContents {
  /// In which its dates are.
  var zone: ZoneRules {
    timeZoneID.flatMap(TimeZone.init(identifier:)).map { ZoneRules($0) } ?? .utc
  }
}

/// Why a lesson is not there, or cannot be gone on with.
enum LessonFacts: DiagnosticFacts {
  /// `lesson 99`
  case noLesson(String, count: Int)
  /// `lesson 6.9`
  case noTask(String, count: Int)
  /// `store: Nothing.json`
  case noStore(String, known: [String])
  /// `lesson 1` over changes
  case unsaved
  /// `hint` outside
  case notInLesson(String)

  var sentence: String {
    switch self {
    case .noLesson(let number, _): localized("there is no lesson \(number)")
    case .noTask(let place, _): localized("there is no task \(place)")
    case .noStore(let name, _): localized("there is no store \"\(name)\"")
    case .unsaved: localized("there are unsaved changes")
    case .notInLesson("answer"):
      localized("there is nothing to answer: no lesson and no quiz is open")
    case .notInLesson(let word):
      localized("there is nothing to \(word.localized): no lesson and no quiz is open")
    }
  }

  var help: String? {
    switch self {
    case .noLesson(_, let count): localized("there are 1 to \(count); \"lesson\" lists them")
    case .noTask(_, let count): localized("the lesson has \(counted(count, "task", "tasks"))")
    case .noStore(let name, let known):
      didYouMean(nearNames(to: name, among: known))
        ?? localized("put it beside the lesson's file, or take \(known.joined(separator: ", "))")
    case .unsaved: localized("save or rollback, then begin the lesson")
    case .notInLesson: localized("lesson 1 begins the first lesson, quiz a quiz")
    }
  }
}
