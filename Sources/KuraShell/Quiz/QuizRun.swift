import KuraDiagnostics
import KuraLessons
import KuraScript
import KuraSentences
import KuraValues

/// An open quiz: the question, the wrong answers to repeat, and the level.
final class QuizRun {
  let maker: QuizMaker
  let seed: UInt64
  private var random: SeededNumbers
  private(set) var question: QuizQuestion?
  private(set) var level = 1
  /// The number of consecutive right answers of this level.
  private(set) var inARow = 0
  /// The number of questions that were asked, and answered right.
  private(set) var asked = 0
  private(set) var right = 0
  /// Questions with wrong answers, and the number of questions after which each is repeated.
  private var waiting: [(question: QuizQuestion, after: Int)] = []
  /// The subjects of earlier questions.
  private var known: Set<String> = []
  /// Whether the question was answered, or its answer shown.
  private(set) var isAnswered = false
  private(set) var grader: Grader?
  /// The statements since the quiz began, for the names that an answer uses.
  private var tries = TaskTries(LessonTask(number: 1, line: 1))

  /// The number of consecutive right answers that master a level.
  static let mastery = 3
  static let levels = 3

  init(_ maker: QuizMaker, seed: UInt64) {
    self.maker = maker
    self.seed = seed
    random = SeededNumbers(seed: seed)
  }

  /// Returns the next question; nil if the store allows none.
  func next() -> QuizQuestion? {
    waiting = waiting.map { ($0.question, $0.after - 1) }
    if let place = waiting.firstIndex(where: { $0.after <= 0 }) {
      question = waiting.remove(at: place).question
    } else {
      question = newQuestion()
    }
    (isAnswered, grader) = (false, nil)
    if case .write(let predicate)? = question {
      let answer = maker.script("fetch \(maker.name) where \(predicate.text)")
      grader = Grader(
        LessonTask(number: 1, answers: [answer], line: 1), on: maker.store, seed: seed)
    }
    if question != nil { asked += 1 }
    return question
  }

  /// Returns a question of any possible kind; repeats an earlier one only if no new one is found.
  private func newQuestion() -> QuizQuestion? {
    var last: QuizQuestion?
    for _ in 0..<6 {
      for kind in QuizQuestion.Kind.allCases.shuffled(using: &random) {
        guard let question = maker.question(kind, level: level, &random) else { continue }
        if known.insert(question.subject).inserted { return question }
        last = question
      }
    }
    return last
  }

  /// Records a statement; returns the attempt that it makes, with the statements that define the
  /// names in it.
  func take(_ statement: Statement, _ source: SourceText, hasFailed: Bool) -> Attempt? {
    tries.take(statement, source, undoable: 0, hasFailed: hasFailed)?.first
  }

  /// Records an answer; returns true if it has mastered the level.
  func take(isRight: Bool) -> Bool {
    if isAnswered { return false }
    isAnswered = true
    guard isRight else {
      inARow = 0
      if let question { waiting.append((question, 3)) }
      return false
    }
    right += 1
    inARow += 1
    guard inARow >= Self.mastery else { return false }
    inARow = 0
    level = min(level + 1, Self.levels)
    return true
  }
}

/// A problem with a quiz.
enum QuizProblem: DiagnosticFacts {
  /// `quiz` on a store with too few objects
  case tooFewObjects
  case tooFew(entity: String)
  case noQuestion(entity: String)
  /// `answer` with words that are not an answer
  case noAnswer(String, wanted: String)

  var sentence: String {
    switch self {
    case .tooFewObjects:
      localized("too few objects for a quiz: no entity has \(QuizMaker.fewest) objects")
    case .tooFew(let entity):
      localized(
        "too few objects for a quiz: \(entity) has fewer than \(QuizMaker.fewest) objects")
    case .noQuestion(let entity):
      localized("no questions about \(entity): its objects are all alike")
    case .noAnswer(let words, let wanted): localized("\"\(words)\" is not an answer: \(wanted)")
    }
  }

  var help: String? {
    switch self {
    case .tooFewObjects, .tooFew:
      localized(".open FILE opens a larger store; lesson 1 has its own")
    case .noQuestion: localized("quiz ENTITY asks about another entity")
    case .noAnswer: nil
    }
  }
}
