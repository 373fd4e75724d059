import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraScript

/// The statements that a learner submits. Lines such as `-- 6.2` begin the statements of a task;
/// without such lines each statement that could be an answer is one, in the order of the tasks.
struct Submission {
  private struct Part {
    var task: Int?
    var text = ""
    var firstLine = 1
  }

  private var parts: [Part] = [Part()]
  private let name: String

  init(_ bytes: [UInt8], name: String) {
    self.name = name
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
    for (index, line) in lines.enumerated() {
      if let task = Self.task(in: line) {
        parts.append(Part(task: task, firstLine: index + 2))
      } else {
        parts[parts.count - 1].text += line + "\n"
      }
    }
  }

  /// Returns 2 for `-- 6.2`, `-- 2`, `-- Task 2`, `-- 課題 6.2`.
  private static func task(in line: Substring) -> Int? {
    let text = String(line).trimmed
    guard text.hasPrefix("--") else { return nil }
    let words = text.dropFirst(2).split { $0 == " " || $0 == ":" || $0 == "：" }
    guard let last = words.last, words.count <= 2,
      words.count == 1 || words[0].allSatisfy({ $0.isLetter })
    else { return nil }
    return last.split(separator: ".").last.flatMap { Int($0) }
  }
}

extension Submission {
  /// Returns a mark for each task.
  func marks(_ graders: [Grader]) -> [Mark] {
    guard parts.count > 1 else { return marksInOrder(graders) }
    return graders.map { grader in
      let own = parts.filter { $0.task == grader.task.number && !$0.text.trimmed.isEmpty }
      guard let part = own.last else { return .missing }
      return mark(Attempt(Array(part.text.utf8), name: name, firstLine: part.firstLine), grader)
    }
  }

  private func marksInOrder(_ graders: [Grader]) -> [Mark] {
    let all = Attempt(Array(parts[0].text.utf8), name: name)
    var attempts: [[(statement: Statement, source: SourceText)]] = [[]]
    for (statement, source) in all.statements {
      attempts[attempts.count - 1].append((statement, source))
      let isPreparation = (try? statement.command.effect) == .sets
      if !isPreparation { attempts.append([]) }
    }
    return graders.enumerated().map { index, grader in
      guard index < attempts.count, !attempts[index].isEmpty else {
        return all.problem.map { .unreadable($0) } ?? .missing
      }
      return mark(Attempt(attempts[index]), grader)
    }
  }

  private func mark(_ attempt: Attempt, _ grader: Grader) -> Mark {
    if let problem = attempt.problem { return .unreadable(problem) }
    if attempt.statements.isEmpty { return .missing }
    return .graded(
      grader.lastTry(in: attempt).map { grader.verdict(on: $0).0 }
        ?? grader.verdict(on: attempt))
  }
}

extension Grader {
  /// Returns the last of the statements that could be the answer, as it would be tried in the
  /// shell; nil if none could, or one fails.
  fileprivate func lastTry(in attempt: Attempt) -> Try? {
    var tries = TaskTries(task)
    var last: Try?
    let isRun = try? attempt.run(in: start) { index, session, hasFailed in
      let (statement, source) = attempt.statements[index]
      let undoable = session.context.history.undoableNames.count
      last = tries.take(statement, source, undoable: undoable, hasFailed: hasFailed) ?? last
    }
    return isRun == nil ? nil : last
  }
}
