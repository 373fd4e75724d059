import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraPredicates
import KuraScript
import KuraValues

extension Session {
  func say(_ message: QuizMessage) -> String { message.text(in: settings.language) }

  /// Begins a quiz about an entity of the open store, or about a random one with enough objects.
  func beginQuiz(_ entity: Name?, seed: UInt64?) throws {
    if let entity { try checkEntity(entity) }
    let entities = QuizMaker.entities(in: context.graph)
    let seed = seed ?? UInt64.random(in: 1...9999)
    var random = SeededNumbers(seed: seed)
    guard let subject = entity?.text ?? random.pick(entities) else {
      throw Failure(QuizProblem.tooFewObjects)
    }
    guard entities.contains(subject) else {
      throw Failure(QuizProblem.tooFew(entity: subject), at: entity?.span)
    }
    let store = TrialStore(graph: context.graph, zone: zone, now: services.now())
    let run = QuizRun(QuizMaker(store, entity: subject), seed: seed)
    guard run.next() != nil else {
      throw Failure(QuizProblem.noQuestion(entity: subject), at: entity?.span)
    }
    learning.quiz = run
    try pageWrapped(say(.begun(entity: subject, seed: seed)) + "\n")
    try ask(run)
  }

  func endQuiz() throws {
    guard let run = learning.quiz else { return try pageWrapped(say(.nothingOpen(next: nextLesson)) + "\n") }
    learning.quiz = nil
    try pageWrapped(say(.ended(right: run.right, asked: run.asked)) + "\n")
  }

  private func ask(_ run: QuizRun) throws {
    guard let question = run.question else { return }
    let name = run.maker.name
    let message: QuizMessage =
      switch question {
      case .write(let predicate):
        .write(entity: name, words: predicate.words(in: settings.language))
      case .count(let predicate, _): .count(statement: "count \(name) where \(predicate.text)")
      case .whichFails(let predicate, let objects, _):
        .whichFails(predicate: predicate.text, objects: objects.map(\.description))
      case .same(let a, let b, _): .same(a.text, b.text)
      }
    try pageWrapped("\n\(say(message))\n")
  }

  func next(of run: QuizRun) throws {
    guard run.next() != nil else {
      throw Failure(QuizProblem.noQuestion(entity: run.maker.entity))
    }
    try ask(run)
  }

  func hint(for run: QuizRun) throws {
    guard let question = run.question else { return }
    try pageWrapped(say(.hint(question.kind)) + "\n")
  }

  /// Takes an answer to a question. Without words, it shows the answer, which counts as wrong.
  func answer(_ words: Name?, to run: QuizRun) throws {
    guard let question = run.question else { return }
    guard let words else { return try judge(question, false, in: run) }
    guard let isRight = question.isRight(words.text) else {
      let wanted = say(.wanted(question.kind))
      throw Failure(QuizProblem.noAnswer(words.text, wanted: wanted), at: words.span)
    }
    try judge(question, isRight, in: run)
  }

  /// Grades a fetch that was typed for a question that asks for one.
  func grade(_ statement: Statement, in source: SourceText, isDone: Bool, for run: QuizRun) {
    let attempt = run.take(statement, source, hasFailed: !isDone)
    guard isDone, let attempt, let question = run.question, case .write = question, !run.isAnswered,
      let fetch = statement.tree as? FetchTree, fetch.result == .objects,
      case .entity(let name) = fetch.source.kind, name == run.maker.entity, let grader = run.grader
    else { return }
    let verdict = grader.verdict(on: attempt)
    do {
      if verdict.isRight { return try judge(question, true, in: run) }
      let lines = verdict.lines(in: settings.language)
      try pageWrapped(lines.map { $0 + "\n" }.joined())
    } catch { fail(error) }
  }

  private func judge(_ question: QuizQuestion, _ isRight: Bool, in run: QuizRun) throws {
    let level = run.level
    let hasMastered = run.take(isRight: isRight)
    var lines = [isRight ? say(.right) : say(.wrong(answer: shownAnswer(question, run)))]
    if case .same(_, _, let seed) = question {
      lines.append(say(seed.map { .differ(seed: $0) } ?? .equal))
    }
    if hasMastered {
      lines.append(say(level < QuizRun.levels ? .mastered(level: level) : .masteredAll))
      learning.progress.noteQuiz(run.maker.entity, level: level)
    }
    if !isRight { lines.append(say(.again)) }
    try pageWrapped((lines + [say(.next)]).map { $0 + "\n" }.joined())
    reportLostProgress()
  }

  private func shownAnswer(_ question: QuizQuestion, _ run: QuizRun) -> String {
    if case .write(let predicate) = question {
      return "fetch \(run.maker.name) where \(predicate.text)"
    }
    return question.answer
  }
}

extension QuizQuestion {
  var kind: Kind {
    switch self {
    case .write: .write
    case .count: .count
    case .whichFails: .whichFails
    case .same: .same
    }
  }
}
