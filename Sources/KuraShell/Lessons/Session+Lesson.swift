import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

// Beginning and ending
extension Session {
  /// Begins a lesson on a copy of its store, and suspends what is open.
  func begin(_ lesson: Lesson, key: String, count: Int?, at task: Int?) throws {
    let store = LessonStore(services)
    let start = try count == nil ? store.contents(for: lesson) : store.contents(ofOwn: lesson)
    if learning.lesson == nil, hasUnsaved { throw Failure(LessonProblem.unsaved) }
    let isOpen = task != nil && learning.lesson?.key == key
    leaveLesson()
    let outside = SuspendedSession(
      store: self.store, context: context, variables: variables, trace: trace)
    let run = LessonRun(lesson, key: key, count: count, start: start, outside: outside)
    learning.lesson = run
    learning.quiz = nil
    let solved = learning.progress.known.lessons[key]?.solved ?? []
    let first = lesson.tasks.first { !solved.contains($0.number) }?.number ?? 1
    if !isOpen { try showOpening(of: run) }
    if task == nil, first > 1 { try showResumption(at: first, of: run) }
    try beginTask((task ?? first) - 1, of: run)
  }

  /// Returns to what was open before.
  func leaveLesson() {
    guard let run = learning.lesson else { return }
    learning.lesson = nil
    store = run.outside.store
    context = run.outside.context
    variables = run.outside.variables
    trace = run.outside.trace
    scratches = []
  }

  func beginTask(_ index: Int, of run: LessonRun) throws {
    run.begin(index)
    restore(run)
    learning.progress.note(place: run.count == nil ? nil : run.place)
    try showTask(of: run)
  }

  /// Restores the store of the start.
  func restore(_ run: LessonRun) {
    run.forgetDone()
    scratches = []
    store = CurrentStore(home: .memory, zone: run.start.zone)
    context = GraphContext(run.start.graph)
    variables = Variables(launch.arguments.mapValues { .string($0) })
    trace.removeAll()
  }
}

// Showing
extension Session {
  private func showOpening(of run: LessonRun) throws {
    let (lesson, store) = (run.lesson, run.lesson.store)
    let title =
      run.count.map { localized("Lesson \(lesson.number) of \($0): \(lesson.title)") }
      ?? lesson.title
    let heading =
      lesson.minutes.map {
        localized(
          "\(title) · about \(counted($0, "minute", "minutes")) · a copy of \(store)")
      } ?? localized("\(title) · a copy of \(store)")
    let rule = String(repeating: "─", count: min(DisplayWidth().cells(heading), resultWidth ?? 76))
    try showWrapped(
      "\(heading)\n\(rule)\n\(MarkdownText.plain(lesson.opening))\n\n\(LessonRun.howTo)\n")
  }

  private func showResumption(at number: Int, of run: LessonRun) throws {
    let places = run.lesson.tasks.map(run.lesson.place)
    let text = localized(
      "You have started this lesson before. It continues with task \(places[number - 1]); lesson \(places[0]) starts it again."
    )
    try showWrapped("\n\(text)\n")
  }

  func showTask(of run: LessonRun) throws {
    let task = run.task
    let lead = task.lead.isEmpty ? "" : MarkdownText.plain(task.lead) + "\n\n"
    let title = localized(
      "Task \(run.place) (\(task.number) of \(run.lesson.tasks.count)): \(task.title)")
    try showWrapped("\n\(lead)\(title)\n\(MarkdownText.plain(task.question))\n")
  }

  /// Shows text without a pager, which would come between a learner and the prompt.
  private func showWrapped(_ text: String) throws {
    try writeWhole(WrappedText(width: resultWidth).text(text))
  }

  /// Shows text through the pager, wrapped between words if standard output is a terminal.
  func pageWrapped(_ text: String) throws {
    try page(WrappedText(width: resultWidth).text(text))
  }
}

// Grading
extension Session {
  /// Grades a statement that was typed in a lesson, if it could be the answer.
  func gradeInLesson(_ statement: Statement, in source: SourceText, isDone: Bool) {
    if let quiz = learning.quiz { return grade(statement, in: source, isDone: isDone, for: quiz) }
    guard let run = learning.lesson else { return }
    let undoable = context.history.undoableNames.count
    let tried = run.take(statement, source, undoable: undoable, hasFailed: !isDone)
    let cancel = services.cancel
    let grader = run.grader(run.start.zone, services.now()) { cancel.isRequested }
    guard isDone || tried.map(grader.canRun) == true else {
      if !(statement.tree is any LearningCommand) { run.countTry() }
      return
    }
    guard let tried else { return sayNotGraded(run.kindWanted(beside: statement)) }
    let (verdict, attempt) = grader.verdict(on: tried)
    // An undo is not a try of its own, unless it restores the answer.
    let isTurn = (try? statement.command)?.turn == .moves
    guard !cancel.isRequested, verdict.isRight || !isTurn else { return }
    do {
      if verdict.isOfAnotherKind { return sayNotGraded(verdict.kindWanted) }
      run.countTry()
      learning.progress.noteTry(run.key)
      try show(verdict, of: attempt, in: run)
    } catch { fail(error) }
  }

  /// Reports in one line that a statement was not graded; a learner who explores can ignore it.
  private func sayNotGraded(_ wanted: Outcome.Kind?) {
    guard let wanted else { return }
    try? showWrapped(localized("Not counted as a try: \(wanted.request).") + "\n")
  }

  /// Reports that a task is left unsolved.
  func reportSkipped(_ run: LessonRun) throws {
    guard run.count != nil,
      !(learning.progress.known.lessons[run.key]?.solved ?? []).contains(run.task.number)
    else { return }
    try showWrapped(
      localized("\(run.place) is not solved yet: lesson \(run.place) returns to it.") + "\n")
  }

  private func show(_ verdict: Verdict, of attempt: Attempt, in run: LessonRun) throws {
    var lines = verdict.lines
    if verdict.isRight {
      learning.progress.noteSolved(run.key, run.task.number)
      let discussion = MarkdownText.plain(run.task.discussion)
      if !discussion.isEmpty { lines.append(discussion) }
      lines += otherAnswers(than: attempt, in: run) + [wayOn(from: run)]
    }
    try showWrapped(lines.map { $0 + "\n" }.joined())
    reportLostProgress()
  }

  private func otherAnswers(than attempt: Attempt, in run: LessonRun) -> [String] {
    let own = attempt.statements.last.map { Self.plain($0.source.text($0.statement.span)) }
    let others = run.task.answers.map(\.text).filter { Self.plain($0) != own }
    if others.isEmpty { return [] }
    return [localized("Another way to write it:")]
      + others.prefix(2).flatMap { text in
        text.split(separator: "\n").map { "    \($0)" }
      }
  }

  /// Returns a text in a form that ignores spaces, case and `=` instead of `==`.
  private static func plain(_ text: String) -> String {
    text.lowercased().replacing("==", with: "=").filter { !$0.isWhitespace }
  }

  /// Returns the next step after a solved task.
  private func wayOn(from run: LessonRun) -> String {
    let number = run.lesson.number
    if run.hasNext {
      let next = "\(number).\(run.task.number + 1)"
      return localized("next continues with \(next).")
    }
    guard let count = run.count else { return LessonRun.lastTask }
    if number < count {
      return localized(
        "Lesson \(number) is finished. next continues with lesson \(number + 1); lesson end leaves the lesson."
      )
    }
    return localized(
      "Lesson \(number) is finished. That was the last lesson. quiz asks you about the open store.")
  }
}
