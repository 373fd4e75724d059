import Foundation
import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraPredicates
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

/// `kura lesson check FILE …`: checks that every answer runs, every wrong try differs on a store,
/// and every variation satisfies the rules.
package struct LessonCheck {
  private let files: [String]
  private let services: SystemServices

  package init(_ files: [String], _ services: SystemServices) {
    self.files = files
    self.services = services
  }

  package func run() -> ExitStatus {
    var status = ExitStatus.done
    for file in files {
      let problems: [Diagnostic]
      do throws(Failure) {
        let lesson = try LessonStore(services).lesson(at: file)
        problems = try check(lesson) + translationProblems(of: lesson)
        if problems.isEmpty { say(LessonCheckReport.well(file, lesson)) }
      } catch {
        problems = error.diagnostics
        if error.status == .storeFailed, status == .done { status = .storeFailed }
      }
      guard !problems.isEmpty else { continue }
      if status == .done { status = .statementFailed }
      services.report(
        Failure(problems).rendered(in: nil, style: services.styleNow) + "\n")
    }
    try? services.results.flush()
    return status
  }

  private func say(_ line: String) {
    do { try services.results.append(line + "\n") } catch {}
  }
}

extension LessonCheck {
  /// Returns all problems of a lesson's tasks.
  func check(_ lesson: Lesson) throws(Failure) -> [Diagnostic] {
    let contents = try LessonStore(services).contents(for: lesson)
    let start = TrialStore(graph: contents.graph, zone: contents.zone, now: services.now())
    return lesson.tasks.flatMap { task in
      TaskCheck(task, on: start, seed: UInt64(max(1, lesson.number))).problems
    }
  }

  /// Checks that a translation has the same tasks with the same statements.
  private func translationProblems(of lesson: Lesson) throws(Failure) -> [Diagnostic] {
    guard let original = Self.original(of: lesson.file),
      let bytes = try? services.readFile(original)
    else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let other = try? LessonReader.read(text, file: original) else { return [] }
    if lesson.tasks.count != other.tasks.count {
      return [at(1, lesson, .otherCount(original, count: other.tasks.count))]
    }
    return zip(lesson.tasks, other.tasks).compactMap { own, other in
      own.statements == other.statements ? nil : at(own.line, lesson, .otherStatements(original))
    }
  }

  /// Returns `06-nil.md` for `06-nil.ja.md`.
  private static func original(of file: String) -> String? {
    for language in Language.allCases where file.hasSuffix(".\(language.rawValue).md") {
      return String(file.dropLast(language.rawValue.count + 4)) + ".md"
    }
    return nil
  }

  private func at(_ line: Int, _ lesson: Lesson, _ facts: LessonCheckProblem) -> Diagnostic {
    Diagnostic(
      facts, at: SourceSpan(0, 1), in: SourceText("## ", name: lesson.file, firstLine: line))
  }
}

extension LessonTask {
  /// The parts of a task that a translation must share.
  fileprivate var statements: [[String]] {
    [answers.map(\.text), wrongTries.map(\.script.text), variations.map(\.text)].map {
      $0.map(\.trimmed)
    } + [must.map { "\($0.words)" }, mustNot.map { "\($0.words)" }, ["\(grading)"]]
  }
}

/// The check of one task.
struct TaskCheck {
  let task: LessonTask
  let grader: Grader

  init(_ task: LessonTask, on start: TrialStore, seed: UInt64) {
    self.task = task
    grader = Grader(task, on: start, seed: seed)
  }

  var problems: [Diagnostic] {
    let failing = task.answers.flatMap(failures)
    guard failing.isEmpty else { return failing }
    return variationProblems + answerProblems + wrongProblems
  }

  /// Returns the reasons why an answer cannot be run on the lesson's own store.
  private func failures(_ script: LessonScript) -> [Diagnostic] {
    do throws(Attempt.Failed) {
      _ = try grader.outcome(of: Attempt(script), grader.start)
      return []
    } catch { return [error.diagnostic] }
  }

  /// Checks that the other answers have the same result as the first, and satisfy the rules of the
  /// task.
  private var answerProblems: [Diagnostic] {
    task.answers.compactMap { script in
      switch grader.verdict(on: Attempt(script)) {
      case .right: nil
      case .lacks(let rule): script.diagnostic(.answerLacks(rule.words))
      case .hasForbidden(let rule): script.diagnostic(.answerHas(rule.words))
      case .wrong(let explanation):
        script.diagnostic(.answersDiffer(explanation.lines.joined(separator: " ")))
      }
    }
  }

  private var wrongProblems: [Diagnostic] {
    task.wrongTries.compactMap { wrong in
      let attempt = Attempt(wrong.script)
      if let problem = attempt.problem { return problem }
      let isRight = grader.worlds.allSatisfy { grader.difference(of: attempt, in: $0) == nil }
      return isRight ? wrong.script.diagnostic(.wrongIsRight) : nil
    }
  }

  private var variationProblems: [Diagnostic] {
    task.variations.flatMap { script -> [Diagnostic] in
      do throws(Attempt.Failed) {
        let graph = try Attempt(script).graph(in: grader.start)
        let context = EvaluationContext(now: grader.start.now, zone: grader.start.zone)
        return GraphContext(graph).allValidationFailures(in: context).map {
          script.diagnostic(ChangeProblem.invalid($0))
        }
      } catch { return [error.diagnostic] }
    }
  }
}

extension LessonScript {
  fileprivate func diagnostic(_ facts: LessonCheckProblem) -> Diagnostic {
    diagnostic(facts as any DiagnosticFacts)
  }

  fileprivate func diagnostic(_ facts: any DiagnosticFacts) -> Diagnostic {
    let source = SourceText(text, name: file, firstLine: firstLine)
    return Diagnostic(facts, at: SourceSpan(0, text.prefix { $0 != "\n" }.utf8.count), in: source)
  }
}

/// A problem with a lesson whose file can be read.
enum LessonCheckProblem: DiagnosticFacts {
  case answersDiffer(String)
  case answerLacks([String])
  case answerHas([String])
  case wrongIsRight
  case otherCount(String, count: Int)
  case otherStatements(String)

  var sentence: String {
    switch self {
    case .answersDiffer(let how):
      localized("this answer's result differs from the first answer's: \(how)")
    case .answerLacks(let words):
      localized("the answer itself does not use \(words.joined(separator: " or "))")
    case .answerHas(let words):
      localized("the answer itself uses \(words.joined(separator: " or "))")
    case .wrongIsRight:
      localized("this wrong try gives the same result as the answer in every store")
    case .otherCount(let file, let count):
      localized("\(file) has \(counted(count, "task", "tasks")); this file has a different number")
    case .otherStatements(let file):
      localized("the statements of this task differ from those in \(file)")
    }
  }

  var help: String? {
    if case .wrongIsRight = self {
      localized("a ```vary block can show the difference")
    } else {
      nil
    }
  }
}

enum LessonCheckReport {
  static func well(_ file: String, _ lesson: Lesson) -> String {
    let wrong = lesson.tasks.reduce(0) { $0 + $1.wrongTries.count }
    return
      localized(
        "\(file): \(counted(lesson.tasks.count, "task", "tasks")), \(counted(wrong, "wrong try", "wrong tries")): no problems found"
      )
  }
}
