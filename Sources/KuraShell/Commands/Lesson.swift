import KuraDiagnostics
import KuraLessons
import KuraRendering
import KuraScript
import KuraSentences
import KuraValues

/// A statement about a lesson or a quiz, which is not an attempt at a task.
protocol LearningCommand: Command {}

extension LearningCommand {
  var effect: Effect { .sets }
  var isTimed: Bool { false }
}

/// `lesson`, `lesson 6.2`
extension LessonStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {
    switch self {
    case .list: try session.listLessons()
    case .number(let name): try session.beginLesson(name)
    case .file(let name): try session.beginLesson(at: name)
    case .end: try session.endLesson()
    }
  }
}

/// `hint`
extension HintStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {
    if let quiz = session.learning.quiz { return try session.hint(for: quiz) }
    let run = try session.openLesson("hint at")
    guard let hint = run.nextHint() else {
      let sentence =
        run.task.hints.isEmpty
        ? localized("There is no hint for this task.")
        : localized("There are no more hints. answer shows the answer after a try.")
      return try session.pageWrapped(sentence + "\n")
    }
    let count = run.task.hints.count
    let title =
      count == 1 ? localized("Hint:") : localized("Hint \(hint.number) of \(count):")
    let isLong = hint.text.contains("\n")
    // A full-width colon includes its space.
    let gap = isLong ? "\n" : title.hasSuffix("：") ? "" : " "
    try session.pageWrapped("\(title)\(gap)\(MarkdownText.plain(hint.text))\n")
  }
}

/// `answer`
extension AnswerStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {
    if let quiz = session.learning.quiz { return try session.answer(words, to: quiz) }
    let run = try session.openLesson("answer")
    guard run.tries > 0 || session.learning.progress.known.isSolved(run.key, run.task.number) else {
      return try session.pageWrapped(
        localized("Try the task once; after that, answer shows the answer.") + "\n")
    }
    let answer = run.task.answers.first?.text ?? ""
    let lines = answer.split(separator: "\n").map { "    \($0)\n" }.joined()
    try session.pageWrapped(localized("The answer:") + "\n\(lines)")
  }
}

/// `next`
extension NextStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {
    if let quiz = session.learning.quiz { return try session.next(of: quiz) }
    let run = try session.openLesson("go on to")
    try session.reportSkipped(run)
    if run.hasNext { return try session.beginTask(run.index + 1, of: run) }
    let all = LessonLibrary.lessons(in: session.settings.language)
    guard run.count != nil, let next = all.first(where: { $0.number > run.lesson.number }) else {
      return try session.pageWrapped(LessonRun.lastTask + "\n")
    }
    try session.begin(next, key: "\(next.number)", count: all.count, at: nil)
  }
}

/// `reset`
extension ResetStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {
    let run = try session.openLesson("reset")
    session.restore(run)
    try session.pageWrapped(
      localized("The store is as it was at the start of \(run.place).") + "\n")
  }
}

/// `progress`
extension ProgressStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {
    try session.writeLessons([.lesson, .title, .solved, .tries], below: session.quizRows)
    session.reportLostProgress()
  }
}

extension Session {
  /// The statement that continues where the learner stopped, or begins the first lesson.
  var nextLesson: String {
    let all = LessonLibrary.lessons(in: settings.language)
    let open = all.first { lesson in
      learning.progress.known.lessons["\(lesson.number)"]?.solved.count ?? 0 < lesson.tasks.count
    }
    return "lesson \(open?.number ?? 1)"
  }

  /// Returns the open lesson; throws if there is none.
  fileprivate func openLesson(_ word: String) throws(Failure) -> LessonRun {
    guard let lesson = learning.lesson else { throw Failure(LessonProblem.notInLesson(word)) }
    return lesson
  }

  fileprivate func beginLesson(_ name: Name) throws {
    let parts = name.text.split(separator: ".")
    let all = LessonLibrary.lessons(in: settings.language)
    let number = parts.first.flatMap { Int($0) }
    guard let lesson = all.first(where: { $0.number == number }) else {
      throw Failure(LessonProblem.noLesson(name.text, count: all.count), at: name.span)
    }
    let task = parts.dropFirst().first.flatMap { Int($0) }
    if let task, !(1...lesson.tasks.count).contains(task) {
      throw Failure(LessonProblem.noTask(name.text, count: lesson.tasks.count), at: name.span)
    }
    try begin(lesson, key: "\(lesson.number)", count: all.count, at: task)
  }

  fileprivate func beginLesson(at name: Name) throws {
    try checkSafe(.reading, at: name.span)
    let lesson: Lesson
    do throws(Failure) { lesson = try LessonStore(services).lesson(at: name.text) } catch {
      throw Failure(
        error.diagnostics.map { $0.source == nil ? Failure.placed($0, at: name.span) : $0 })
    }
    try begin(lesson, key: name.text, count: nil, at: nil)
  }

  fileprivate func endLesson() throws {
    guard learning.lesson != nil else { return try showNothingOpen() }
    let next =
      learning.lesson.flatMap { $0.count == nil ? nil : "lesson \($0.lesson.number)" } ?? nextLesson
    leaveLesson()
    let name = store.home == .memory ? nil : storeName
    try pageWrapped(
      (name.map {
        localized(
          "The lesson has ended; \($0) is open again. \(next) continues where you left off.")
      } ?? localized("The lesson has ended. \(next) continues where you left off.")) + "\n")
  }

  /// Shows that no lesson or quiz is open, and how to begin one.
  func showNothingOpen() throws {
    try pageWrapped(
      localized("No lesson is open. \"lesson\" lists all lessons. \(wayIn)") + "\n")
  }

  /// How to continue with the lessons, or to begin.
  private var wayIn: String {
    nextLesson == "lesson 1"
      ? localized("lesson 1 starts the first lesson.")
      : localized("\(nextLesson) continues where you left off.")
  }

  fileprivate func listLessons() throws {
    try writeLessons([.lesson, .title, .minutes, .store, .solved])
    guard settings.format.name == OutputFormat.usual.name else { return }
    try pageWrapped(
      (learning.lesson.map { localized("You are at \($0.place).") } ?? wayIn) + "\n")
    reportLostProgress()
  }

  /// The number of mastered levels for each entity that a quiz has asked about.
  fileprivate var quizRows: [[Value]] {
    learning.progress.known.quiz.sorted { $0.key < $1.key }.map { entity, level in
      ["quiz", entity, "\(level)/\(QuizRun.levels)", ""].map { .string($0) }
    }
  }

  /// Writes the lessons with the number of solved tasks.
  fileprivate func writeLessons(_ columns: [LessonColumn], below: [[Value]] = []) throws {
    let rows = LessonLibrary.lessons(in: settings.language).map { lesson -> [Value] in
      let record = learning.progress.known.lessons["\(lesson.number)"]
      return columns.map { column in
        switch column {
        case .lesson: .integer(Int64(lesson.number))
        case .title: .string(lesson.title)
        case .minutes: lesson.minutes.map { .integer(Int64($0)) } ?? Value.null
        case .store: .string(lesson.store)
        case .solved: .string("\(record?.solved.count ?? 0)/\(lesson.tasks.count)")
        case .tries: .integer(Int64(record?.tries ?? 0))
        }
      }
    }
    try write(
      Grid(
        columns: columns.map {
          GridColumn(
            $0.rawValue.localized, isNumeric: [.lesson, .minutes, .tries].contains($0),
            isOwnText: true)
        }, rows: rows + below))
  }
}

/// `quiz`, `quiz MemoDate seed 7`, `quiz end`
extension QuizStatement: LearningCommand {
  func perform(in session: Session, _ source: SourceText) throws {
    isEnd ? try session.endQuiz() : try session.beginQuiz(entity, seed: seed)
  }
}

/// A column of the list of lessons.
private enum LessonColumn: String {
  case lesson = "lesson", title = "title", minutes = "minutes"
  case store = "store", solved = "solved", tries = "tries"
}
