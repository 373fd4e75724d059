import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura lesson check LESSON.md …`
struct LessonCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura lesson check", abstract: "Proves that lessons are right.",
    discussion: LessonOverview.check)

  @Argument(help: "The lessons.") var files: [String]

  func run() -> ExitStatus { LessonCheck(files, Wiring.surroundings(color: .automatic)).run() }
}

/// `kura lesson grade LESSON.md answers/*.kura`
struct LessonGradeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura lesson grade", abstract: "Grades the answers of a class.",
    discussion: LessonOverview.grade)

  @Argument(help: "The lesson.") var lesson: String
  @Argument(help: "The answers, a file for each learner.") var answers: [String]
  @Option(help: "How the grades are written: \(Launch.formatList).") var format =
    Launch.firstFormat
  @Flag(help: "A row for each answer, with what is said of it.") var explain = false
  @Option(help: "In which language that is said: en or ja.") var language: String?

  func run() -> ExitStatus {
    LessonGrades(
      lesson, answers, format: format, explains: explain, language: language,
      Wiring.surroundings(color: .automatic)
    ).run()
  }
}
