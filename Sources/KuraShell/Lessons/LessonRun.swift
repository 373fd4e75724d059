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
  /// What was done since the task began, as far as it may be part of an answer.
  private(set) var done: [(statement: Statement, source: SourceText)] = []
  private var grader: Grader?

  init(_ lesson: Lesson, key: String, count: Int?, start: StoreContents, outside: SetAside) {
    self.lesson = lesson
    self.key = key
    self.count = count
    self.start = start
    self.outside = outside
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
    (tries, hintsShown, done, grader) = (0, 0, [], nil)
  }

  func forgetDone() { done = [] }

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
  /// Notes a statement that was done; gives the attempt that it ends, if it could be the answer.
  ///
  /// What changes objects is part of the attempt only where the task is a change: else the question is
  /// about the store as it is at the start.
  func take(_ statement: Statement, _ source: SourceText, isInScratch: Bool) -> Attempt? {
    guard let command = try? statement.command, !(command is any LearningCommand),
      !(statement.tree is SettingStatement)
    else { return nil }
    let changes = command.effect == .changes
    let isStoreTask = task.grading.comparesStore
    let earlier = isStoreTask ? done : done.filter { !$0.statement.isChange }
    if changes || command.effect == .sets || statement.isFetch { note(statement, source) }
    guard couldBeAnswer(statement, changes), !(isStoreTask && isInScratch) else { return nil }
    return Attempt(earlier + [(statement, source)])
  }

  private func note(_ statement: Statement, _ source: SourceText) {
    if statement.isFetch {
      // Only the last one is what `_` may mean; in a change every one may be.
      if !task.grading.comparesStore { done.removeAll { $0.statement.isFetch } }
    }
    done.append((statement, source))
  }

  private func couldBeAnswer(_ statement: Statement, _ changes: Bool) -> Bool {
    if task.grading.comparesStore { return changes }
    let answer = task.answers.first.map { Attempt($0) }?.statements.last?.statement
    switch (answer?.tree, statement.tree) {
    case (let wanted as FetchTree, let tried as FetchTree):
      guard (wanted.result == .objects) == (tried.result == .objects) else { return false }
      return tried.source.couldBe(wanted.source)
    case (is FetchTree, _): return statement.tree is any AskingCommand && !changes
    case (_, is any AskingCommand): return true
    default: return false
    }
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

extension FetchSource {
  /// Whether they may be of the same objects: two entities of other names are not.
  fileprivate func couldBe(_ other: FetchSource) -> Bool {
    if case .entity(let name) = kind, case .entity(let wanted) = other.kind {
      return name == wanted
    }
    return true
  }
}

extension Statement {
  /// Whether it says what `_` means from then on.
  fileprivate var isFetch: Bool { (tree as? FetchTree)?.result == .objects }

  var isChange: Bool { (try? command.effect) == .changes }
}
