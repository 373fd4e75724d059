package import KuraDiagnostics
import KuraSentences

/// A problem with a lesson's file.
package enum LessonFileProblem: DiagnosticFacts {
  /// The file does not begin with `---`, or its front matter is not closed.
  case noFrontMatter
  /// `minuts: 8`
  case unknownField(String)
  /// `minutes: many`
  case notANumber(field: String, found: String)
  case missingField(String)
  /// A code fence that is not closed
  case openFence
  /// `hint` before the first `##`
  case blockOutsideTask(String)
  /// `answr`, similar to a word of a lesson
  case unknownBlock(String, near: [String])
  /// `answer orderd`
  case unknownGrading(String)
  /// A block without statements
  case emptyBlock(String)
  case noTasks
  /// A heading with hints, but without an answer
  case taskWithoutAnswer
  /// `wrong` without `-- why`
  case wrongWithoutComment
  /// `must:` without words
  case emptyRule
}

extension LessonFileProblem {
  package static let fields = ["lesson", "title", "store", "minutes"]
  package static let blocks = ["answer", "hint", "wrong", "vary"]
  package static let gradings = ["ordered", "columns", "store"]

  package var sentence: String {
    switch self {
    case .noFrontMatter:
      localized("a lesson starts with a line ---, its fields, and another line ---")
    case .unknownField(let name): localized("unknown field \"\(name)\"")
    case .notANumber(let field, let found): localized("\(field) must be a number, not \"\(found)\"")
    case .missingField(let name): localized("the field \(name) is missing")
    case .openFence: localized("this block is not closed")
    case .blockOutsideTask(let word): localized("this \(word) is before the first task")
    case .unknownBlock(let word, _): localized("unknown block \"\(word)\"")
    case .unknownGrading(let word): localized("an answer block has no option \"\(word)\"")
    case .emptyBlock(let word): localized("this \(word) is empty")
    case .noTasks: localized("the lesson has no task")
    case .taskWithoutAnswer: localized("this task has no answer")
    case .wrongWithoutComment: localized("this wrong answer has no explanation")
    case .emptyRule: localized("this rule contains no words")
    }
  }

  package var help: String? {
    switch self {
    case .noFrontMatter: localized("for example lesson: 1, title: Objects, store: MemoDates.json")
    case .unknownField(let name):
      didYouMean(nearNames(to: name, among: Self.fields))
        ?? localized("use one of: \(Self.fields.list)")
    case .notANumber: nil
    case .missingField(let name): localized("write \(name): … between the lines ---")
    case .openFence: localized("end it with a line of the same number of backticks")
    case .blockOutsideTask: localized("a task starts with a ## heading")
    case .unknownBlock(_, let near): didYouMean(near)
    case .unknownGrading(let word):
      didYouMean(nearNames(to: word, among: Self.gradings))
        ?? localized("use one of: \(Self.gradings.list)")
    case .emptyBlock: localized("write a statement between the fences")
    case .noTasks: localized("write a ## heading and an ```answer block below it")
    case .taskWithoutAnswer: localized("write an ```answer block with the statement that solves it")
    case .wrongWithoutComment: localized("write one as the last line: -- why it is wrong")
    case .emptyRule: localized("for example must: NOT or OR")
    }
  }
}

/// All problems of a lesson's file.
package struct LessonProblems: Error {
  package let diagnostics: [Diagnostic]
}
