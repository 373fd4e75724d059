import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

extension Session {
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
    try pageWrapped(
      localized(
        "Questions about \(subject) (seed \(seed)). They get harder after three right answers in a row. quiz end leaves the quiz."
      ) + "\n")
    try ask(run)
  }

  func endQuiz() throws {
    guard let run = learning.quiz else { return try showNothingOpen() }
    learning.quiz = nil
    try pageWrapped(localized("\(run.right) of \(run.asked) right.") + "\n")
  }

  private func ask(_ run: QuizRun) throws {
    guard let question = run.question else { return }
    let name = run.maker.name
    let lines =
      switch question {
      case .write(let predicate):
        [
          localized(
            "Write a fetch for the \(name) objects such that \(predicate.words(in: .current)).")
        ]
      case .count(let predicate, _):
        [
          localized(
            "What is the result? Answer without running the statement, for example: answer 3"),
          "count \(name) where \(predicate.text)",
        ]
      case .whichFails(let predicate, let objects, _):
        [
          localized(
            "One of these objects does not match. Which? For example: answer \(objects[0])"),
          predicate.text, objects.map(\.description).joined(separator: "  "),
        ]
      case .same(let a, let b, _):
        [
          localized(
            "Do these two predicates match the same objects in every store of this model? answer yes or answer no"
          ), a.text, b.text,
        ]
      }
    try pageWrapped("\n\(lines.joined(separator: "\n    "))\n")
  }

  func next(of run: QuizRun) throws {
    guard run.next() != nil else {
      throw Failure(QuizProblem.noQuestion(entity: run.maker.entity))
    }
    try ask(run)
  }

  func hint(for run: QuizRun) throws {
    guard let question = run.question else { return }
    try pageWrapped(question.hint + "\n")
  }

  /// Takes an answer to a question. Without words, it shows the answer, which counts as wrong.
  func answer(_ words: Name?, to run: QuizRun) throws {
    guard let question = run.question else { return }
    guard let words else { return try judge(question, false, in: run) }
    guard let isRight = question.isRight(words.text) else {
      throw Failure(
        QuizProblem.noAnswer(words.text, wanted: question.answerForm), at: words.span)
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
      let lines = verdict.lines
      try pageWrapped(lines.map { $0 + "\n" }.joined())
    } catch { fail(error) }
  }

  private func judge(_ question: QuizQuestion, _ isRight: Bool, in run: QuizRun) throws {
    let level = run.level
    let hasMastered = run.take(isRight: isRight)
    var lines = [
      isRight ? localized("✓ Right.") : localized("✗ No: \(shownAnswer(question, run))")
    ]
    if case .same(_, _, let seed) = question {
      switch seed {
      case nil: lines.append(localized("They match the same objects in every store."))
      case 0?: lines.append(localized("They differ in this store."))
      case let seed?: lines.append(localized("They differ in a generated store (seed \(seed))."))
      }
    }
    if hasMastered {
      lines.append(
        level < QuizRun.levels
          ? localized(
            "Three in a row: you have mastered level \(level). The questions get harder.")
          : localized("Three in a row at the highest level: you have mastered all levels."))
      learning.progress.noteQuiz(run.maker.entity, level: level)
    }
    if !isRight { lines.append(localized("You will see this question again.")) }
    try pageWrapped((lines + [localized("next asks another question.")]).map { $0 + "\n" }.joined())
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
  fileprivate var hint: String {
    switch self {
    case .write:
      localized("Begin with fetch and the entity; the question contains the keys and the values.")
    case .count, .whichFails: localized("fetch shows the objects; then check each of them.")
    case .same: localized("Think of NOT around AND and OR, and of objects whose key is nil.")
    }
  }

  /// The form of an answer.
  fileprivate var answerForm: String {
    switch self {
    case .write: localized("write a fetch")
    case .count: localized("write a whole number")
    case .whichFails: localized("write one of the objects")
    case .same: localized("write yes or no")
    }
  }
}
