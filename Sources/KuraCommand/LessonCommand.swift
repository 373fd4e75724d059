import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura lesson check LESSON.md …`
struct LessonCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura lesson check", abstract: LaunchHelp.lessonCheck,
    discussion: LessonOverview.check)

  @Argument(help: .init(LaunchHelp.lessons)) var files: [String]

  func run() -> ExitStatus { LessonCheck(files, Wiring.surroundings(color: .automatic)).run() }
}

/// `kura lesson grade LESSON.md answers/*.kura`
struct LessonGradeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura lesson grade", abstract: LaunchHelp.lessonGrade,
    discussion: LessonOverview.grade)

  @Argument(help: .init(LaunchHelp.lesson)) var lesson: String
  @Argument(help: .init(LaunchHelp.answers)) var answers: [String]
  @Option(help: .init(LaunchHelp.gradeFormat)) var format =
    Launch.firstFormat
  @Flag(help: .init(LaunchHelp.explain)) var explain = false
  @Option(help: .init(LaunchHelp.explanationLanguage)) var language: String?

  func run() -> ExitStatus {
    LessonGrades(
      lesson, answers, format: format, explains: explain, language: language,
      Wiring.surroundings(color: .automatic)
    ).run()
  }
}
