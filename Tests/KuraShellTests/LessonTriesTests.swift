import Foundation
import KuraDiagnostics
import KuraLessons
import KuraSentences
import KuraStore
import KuraValues
import Testing

@testable import KuraShell

/// The messages about tries at the tasks of the lessons.
@Suite("Tries at the lessons")
struct LessonTriesTests {
  static let lessons = LessonLibrary.lessons(in: .english)

  private static func graders(_ lesson: Lesson) throws -> [Grader] {
    let contents = try LessonStore(.live(style: .plain)).contents(ofOwn: lesson)
    let now = Timestamp(microseconds: 1_770_000_000_000_000)
    let start = TrialStore(graph: contents.graph, zone: contents.zone, now: now)
    return lesson.tasks.map { Grader($0, on: start, seed: UInt64(lesson.number)) }
  }

  @Test("every lesson is valid", arguments: Language.allCases)
  func check(language: Language) throws {
    let check = LessonCheck([], .live(style: .plain))
    for var lesson in LessonLibrary.lessons(in: language) {
      lesson.file = ""
      #expect(try check.check(lesson).map { $0.rendered() } == [])
    }
  }

  @Test("a translation has the same tasks, answers and wrong tries")
  func translation() throws {
    let other = LessonLibrary.lessons(in: .japanese)
    for (lesson, translated) in zip(Self.lessons, other) {
      #expect(lesson.store == translated.store && lesson.minutes == translated.minutes)
      #expect(lesson.tasks.count == translated.tasks.count)
      for (task, own) in zip(lesson.tasks, translated.tasks) {
        #expect(task.answers.map(\.text) == own.answers.map(\.text))
        #expect(task.wrongTries.map(\.script.text) == own.wrongTries.map(\.script.text))
        #expect(task.variations.map(\.text) == own.variations.map(\.text))
        #expect(task.hints.count == own.hints.count)
        #expect(task.must == own.must && task.mustNot == own.mustNot)
        #expect(task.grading == own.grading)
      }
    }
  }

  @Test("three or more wrong tries at each task get three different reasons", arguments: lessons)
  func reasons(lesson: Lesson) throws {
    for grader in try Self.graders(lesson) {
      let place = lesson.place(of: grader.task)
      #expect(grader.task.wrongTries.count >= 3, "\(place)")
      var reasons: Set<String> = []
      for wrong in grader.task.wrongTries {
        guard case .wrong(let explanation) = grader.verdict(on: Attempt(wrong.script)) else {
          Issue.record("\(place): \(wrong.script.text) is not wrong")
          continue
        }
        #expect(explanation.comment == wrong.comment, "\(place): \(wrong.script.text)")
        reasons.insert(explanation.lines.joined())
      }
      #expect(reasons.count == grader.task.wrongTries.count, "\(place)")
    }
  }

  /// Tries without a comment in the lesson, with the expected messages.
  struct Table {
    var rows: [(place: String, attempt: String, says: String?)] = []

    static let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Tries/tries.txt")

    init() throws {
      for block in try String(contentsOf: Self.file, encoding: .utf8).components(
        separatedBy: "\n\n")
      {
        let lines = block.split(separator: "\n").map(String.init)
        guard let first = lines.first, let gap = first.firstIndex(of: " ") else { continue }
        let says = lines.dropFirst().map { String($0.dropFirst(2)) }
        rows.append(
          (
            String(first[..<gap]), String(first[gap...].dropFirst()),
            says.isEmpty ? nil : says.joined(separator: "\n")
          ))
      }
    }

    func record(_ found: [String]) throws {
      let blocks = zip(rows, found).map { row, output in
        let lines = output.split(separator: "\n").map { "  \($0)\n" }.joined()
        return "\(row.place) \(row.attempt)\n\(lines)"
      }
      try blocks.joined(separator: "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
  }

  @Test("other tries are answered with the missing and the superfluous objects")
  func table() throws {
    let table = try Table()
    var found: [String] = []
    for (place, attempt, _) in table.rows {
      let parts = place.split(separator: ".").compactMap { Int($0) }
      let lesson = try #require(Self.lessons.first { $0.number == parts[0] }, "\(place)")
      let grader = try Self.graders(lesson)[parts[1] - 1]
      let text = attempt.replacing(" ;; ", with: "\n")
      let verdict = grader.verdict(on: Attempt(Array(text.utf8)))
      found.append(verdict.lines.joined(separator: "\n"))
    }
    #expect(table.rows.count >= 30)
    guard table.rows.allSatisfy({ $0.says != nil }) else {
      try table.record(found)
      Issue.record("the tries have been recorded; read them, and run the tests again")
      return
    }
    for (row, output) in zip(table.rows, found) {
      #expect(row.says == output, "\(row.place) \(row.attempt)")
    }
  }
}

extension Lesson: CustomTestStringConvertible {
  /// The file.
  public var testDescription: String { file }
}
