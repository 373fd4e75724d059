import Foundation
import KuraDiagnostics
import KuraLessons
import KuraRendering
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

/// `kura lesson grade LESSON ANSWERS …`: shows the results of a class, a row for each learner.
struct LessonGrades {
  private let lesson: String
  private let files: [String]
  private let format: OutputFormat
  private let explains: Bool
  private let services: SystemServices
  private let language: Language

  init(_ request: CommandRequest, _ services: SystemServices) {
    lesson = request.operands[0]
    files = Array(request.operands.dropFirst())
    format = request.launch.format
    explains = request.explains
    self.services = services
    language = request.launch.language ?? services.systemLanguage()
  }

  func run() -> ExitStatus { language.speaks(grade) }

  private func grade() -> ExitStatus {
    do {
      let lesson = try LessonStore(services).lesson(at: lesson)
      let contents = try LessonStore(services).contents(for: lesson)
      let start = TrialStore(graph: contents.graph, zone: contents.zone, now: services.now())
      let graders = lesson.tasks.map {
        Grader($0, on: start, seed: UInt64(max(1, lesson.number)))
      }
      var sheets: [(name: String, marks: [Mark])] = []
      for file in files {
        let submission = Submission(try services.readFile(file), name: file)
        sheets.append((Self.learner(file), submission.marks(graders)))
      }
      try format.language.speaks {
        try write(explains ? explained(sheets, lesson) : table(sheets, lesson))
      }
      return .done
    } catch is ClosedOutput {
      return .done
    } catch {
      let failure = Failure(error)
      services.report(failure.rendered(in: nil, style: services.styleNow) + "\n")
      return failure.status == .storeFailed ? .storeFailed : .statementFailed
    }
  }

  /// Returns the learner's name: `hanako` for `answers/hanako.kura`.
  private static func learner(_ file: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return name.hasSuffix(".kura") ? String(name.dropLast(5)) : name
  }

  private func write(_ grid: Grid) throws {
    var options = RenderingOptions(width: services.terminalWidth())
    options.isTerminal = services.results.isTerminal
    var buffer = OutputBuffer { try services.results.append($0) }
    try grid.write(as: format, options, to: &buffer)
    try services.results.flush()
  }

  /// Returns a row for each learner, with a column for each task.
  private func table(_ sheets: [(name: String, marks: [Mark])], _ lesson: Lesson) -> Grid {
    let tasks = lesson.tasks.map { lesson.place(of: $0) }
    return Grid(
      columns: ([localized("learner")] + tasks).map { GridColumn($0, isOwnText: true) }
        + [localized("right"), localized("of")].map { GridColumn($0, isNumeric: true) },
      rows: sheets.map { name, marks in
        [.string(name)] + marks.map { .string($0.word) }
          + [.integer(Int64(marks.count(where: \.isRight))), .integer(Int64(marks.count))]
      })
  }

  /// Returns a row for each learner and task, with an explanation. It quotes the lesson, so it is in
  /// the learners' language in every format.
  private func explained(_ sheets: [(name: String, marks: [Mark])], _ lesson: Lesson) -> Grid {
    Grid(
      columns: [localized("learner"), localized("task"), localized("mark"), localized("why")].map {
        GridColumn($0, isOwnText: true)
      },
      rows: sheets.flatMap { name, marks in
        zip(lesson.tasks, marks).map { task, mark in
          [
            .string(name), .string(lesson.place(of: task)), .string(mark.word),
            .string(language.speaks { mark.why }),
          ]
        }
      })
  }
}

/// The result of one task.
enum Mark {
  case graded(Verdict)
  /// There is no answer.
  case missing
  /// The answer cannot be read.
  case unreadable(Diagnostic)

  var isRight: Bool { if case .graded(let verdict) = self { verdict.isRight } else { false } }

  var word: String {
    switch self {
    case .graded(let verdict): verdict.isRight ? localized("right") : localized("wrong")
    case .missing: localized("missing")
    case .unreadable: localized("error")
    }
  }

  var why: String {
    switch self {
    case .graded(let verdict):
      verdict.isRight
        ? ""
        : verdict.lines.map(\.trimmed).joined(separator: " ")
    case .missing: ""
    case .unreadable(let diagnostic): diagnostic.rendered().split(separator: "\n")[0].description
    }
  }
}
