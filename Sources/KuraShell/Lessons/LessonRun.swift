import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraPredicates
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

/// The open lesson or quiz, and the learner's progress.
struct LearningState {
  var lesson: LessonRun?
  /// The open quiz, which replaces an open lesson until it ends.
  var quiz: QuizRun?
  /// The tasks that the learner has solved.
  let progress: LearnerProgress

  var isOpen: Bool { lesson != nil || quiz != nil }
}

/// An open lesson: the task, the attempts, and what was open before.
final class LessonRun {
  let lesson: Lesson
  /// The key in the progress file: the number, or the path of the user's own lesson.
  let key: String
  /// The number of lessons; nil for the user's own lesson.
  let count: Int?
  /// The store at the start of each task.
  let start: StoreContents
  let outside: SuspendedSession
  private(set) var index = 0
  private(set) var tries = 0
  private(set) var hintsShown = 0
  /// The statements since the task began.
  private var tried: TaskTries
  private var grader: Grader?

  init(_ lesson: Lesson, key: String, count: Int?, start: StoreContents, outside: SuspendedSession)
  {
    self.lesson = lesson
    self.key = key
    self.count = count
    self.start = start
    self.outside = outside
    tried = TaskTries(lesson.tasks[0])
  }
}

/// The state of a session before a lesson.
struct SuspendedSession {
  var store: CurrentStore
  var context: GraphContext
  var variables: Variables
  var trace: ChangeTrace
}

extension LessonRun {
  /// The statements of a lesson.
  static var howTo: String {
    localized(
      "Type a statement after the > and press Enter. Kura checks it on this store and on stores with other values; your changes are not saved.\nhint shows a hint; answer shows the answer after a try; next goes to the next task; lesson end leaves the lesson."
    )
  }

  static var lastTask: String { localized("This was the last task.") }

  var task: LessonTask { lesson.tasks[index] }

  /// `6.2`
  var place: String { lesson.place(of: task) }

  var hasNext: Bool { index + 1 < lesson.tasks.count }

  /// Begins a task, counted from 0.
  func begin(_ index: Int) {
    self.index = min(max(0, index), lesson.tasks.count - 1)
    (tries, hintsShown, grader) = (0, 0, nil)
    forgetDone()
  }

  func forgetDone() { tried = TaskTries(task) }

  /// Records a statement; returns the try that it makes, if it could be the answer.
  func take(
    _ statement: Statement, _ source: SourceText, undoable: Int, hasFailed: Bool
  ) -> Try? {
    tried.take(statement, source, undoable: undoable, hasFailed: hasFailed)
  }

  func countTry() { tries += 1 }

  /// Returns the next hint with its number, if there is one.
  func nextHint() -> (number: Int, text: String)? {
    guard hintsShown < task.hints.count else { return nil }
    hintsShown += 1
    return (hintsShown, task.hints[hintsShown - 1])
  }

  func grader(_ zone: ZoneRules, _ now: Timestamp, cancel: @escaping () -> Bool) -> Grader {
    if let grader { return grader }
    let trial = TrialStore(graph: start.graph, zone: zone, now: now)
    let new = Grader(task, on: trial, seed: UInt64(max(1, lesson.number)), cancel: cancel)
    grader = new
    return new
  }

  /// Returns the required kind of result if a statement has another kind for the same objects.
  func kindWanted(beside statement: Statement) -> Outcome.Kind? {
    guard !task.grading.comparesStore,
      let wanted = task.answers.first.map({ Attempt($0) })?.statements.last?.statement.tree
        as? FetchTree,
      let tried = statement.tree as? FetchTree, tried.source.couldBe(wanted.source),
      (wanted.result == .objects) != (tried.result == .objects)
    else { return nil }
    if wanted.result != .objects { return .values }
    return wanted.selection == nil ? .objects : .rows
  }
}

/// The descriptions of the commands about lessons, for their help.
package enum LessonOverview {
  package static var check: String {
    localized(
      """
      Checks that every answer runs and has the first answer's result, that every
      wrong try differs in at least one store, that every varied store satisfies the
      rules of its model, and that a translation has the same statements.
      """)
  }

  package static var grade: String {
    localized(
      """
      Shows a row for each file of answers and a column for each task. In the file, a
      line with the task's number, such as -- 6.2, precedes its statements.
      """)
  }
}
