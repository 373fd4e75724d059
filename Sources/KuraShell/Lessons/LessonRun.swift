import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraPredicates
import KuraScript
import KuraStore
import KuraValues

/// A lesson that a learner is in: the task, what was tried, and what was open before.
final class LessonRun {
  let lesson: Lesson
  /// What the progress calls it: its number, or the path of a lesson of somebody's own.
  let key: String
  /// How many lessons there are; nil for one of somebody's own.
  let count: Int?
  /// The store as it is at the start of each task.
  let start: StoreContents
  let outside: SetAside
  private(set) var index = 0
  private(set) var tries = 0
  private(set) var hintsShown = 0
  /// What was done since the task began.
  private var tried: TaskTries
  private var grader: Grader?

  init(_ lesson: Lesson, key: String, count: Int?, start: StoreContents, outside: SetAside) {
    self.lesson = lesson
    self.key = key
    self.count = count
    self.start = start
    self.outside = outside
    tried = TaskTries(lesson.tasks[0])
  }
}

/// What a session had open before a lesson.
struct SetAside {
  var store: CurrentStore
  var context: ManagedObjectContext
  var variables: Variables
  var trace: ChangeTrace
}

extension LessonRun {
  var task: LessonTask { lesson.tasks[index] }

  /// `6.2`
  var place: String { lesson.place(of: task) }

  var hasNext: Bool { index + 1 < lesson.tasks.count }

  /// Begins a task, from 0.
  func begin(_ index: Int) {
    self.index = min(max(0, index), lesson.tasks.count - 1)
    (tries, hintsShown, grader) = (0, 0, nil)
    forgetDone()
  }

  func forgetDone() { tried = TaskTries(task) }

  /// Notes a statement; gives the try that it is, if it could be the answer.
  func take(
    _ statement: Statement, _ source: SourceText, undoable: Int, hasFailed: Bool
  ) -> Try? {
    tried.take(statement, source, undoable: undoable, hasFailed: hasFailed)
  }

  func countTry() { tries += 1 }

  /// The next hint with its number, if there is one.
  func nextHint() -> (number: Int, text: String)? {
    guard hintsShown < task.hints.count else { return nil }
    hintsShown += 1
    return (hintsShown, task.hints[hintsShown - 1])
  }

  func grader(_ zone: ZoneRules, _ now: Timestamp, cancel: @escaping () -> Bool) -> Grader {
    if let grader { return grader }
    let trial = TrialStore(graph: start.graph, zone: zone, now: now)
    let made = Grader(task, on: trial, seed: UInt64(max(1, lesson.number)), cancel: cancel)
    grader = made
    return made
  }
}

extension LessonRun {
  /// What the task asks for, where a statement about the same objects asks for something else.
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
