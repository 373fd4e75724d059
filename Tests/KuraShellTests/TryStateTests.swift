import Foundation
import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraModel
import KuraSentences
import KuraStore
import KuraValues
import TestSupport
import Testing

@testable import KuraShell

/// A task is graded by the statement that is being tried, regardless of earlier statements.
@Suite("Tries before the graded one")
struct TryStateTests {
  static let lessons = LessonLibrary.lessons(in: .english)

  private let folder: TestFolder
  private let session: Session

  init() throws {
    folder = try TestFolder()
    var services = folder.services
    services.now = { Timestamp(microseconds: 1_770_000_000_000_000) }
    session = try Session(Launch(), services)
    session.settings.language = .english
  }

  /// Types lines one by one; returns whether the last verdict on them is right.
  private func isRight(_ text: String) -> Bool {
    let before = folder.output.count
    for line in text.split(separator: "\n") {
      session.run(String(line))
      try? session.targets.flush()
    }
    let output = folder.output.dropFirst(before).split(separator: "\n")
    return output.last { $0.hasPrefix("✓") || $0.hasPrefix("✗") }?.hasPrefix("✓") ?? false
  }

  private func eachTask(of lesson: Lesson, _ body: (LessonTask, _ place: String) throws -> Void)
    rethrows
  {
    for task in lesson.tasks {
      session.run("lesson \(lesson.place(of: task))")
      try body(task, lesson.place(of: task))
    }
  }

  @Test("an answer is right after each wrong try", arguments: lessons)
  func afterWrong(lesson: Lesson) {
    eachTask(of: lesson) { task, place in
      for (index, answer) in task.answers.enumerated() {
        let tries = TestLength.count(3, long: task.wrongTries.count)
        for wrong in task.wrongTries.prefix(index == 0 ? tries : 1) {
          session.run("reset")
          _ = isRight(wrong.script.text)
          #expect(isRight(answer.text), "\(place): \(answer.text) after \(wrong.script.text)")
        }
      }
    }
  }

  @Test("a wrong try is wrong after each other one, and after the answer", arguments: lessons)
  func wrongAfterWrong(lesson: Lesson) {
    eachTask(of: lesson) { task, place in
      let all = task.wrongTries.map(\.script.text)
      for (i, wrong) in all.enumerated() {
        // The suite uses the next wrong try; the long form uses all whose changes could be mixed
        // up.
        let others =
          TestLength.isLong && task.grading.comparesStore ? all : [all[(i + 1) % all.count]]
        for other in others + [task.answers[0].text] {
          session.run("reset")
          _ = isRight(other)
          #expect(!isRight(wrong), "\(place): \(wrong) after \(other)")
        }
      }
    }
  }

  @Test("an answer is right after an exploration of the objects", arguments: lessons)
  func afterLook(lesson: Lesson) throws {
    let contents = try LessonStore(.live(style: .plain)).contents(ofOwn: lesson)
    let entities = contents.graph.model.entities.map(\.name)
    eachTask(of: lesson) { task, place in
      for entity in entities {
        session.run("reset")
        for look in [
          "fetch \(entity)/1", "fetch \(entity) where NOT objectID == 1 OR ANY objectID IN {1}",
          "let $x = \(entity)/1", "count \(entity)", "begin", "cancel", "print 1 + 2",
        ] {
          session.run(look)
        }
        #expect(isRight(task.answers[0].text), "\(place)")
      }
    }
  }

  @Test("a change is right only in a committed context, a query in any", arguments: lessons)
  func inContext(lesson: Lesson) {
    eachTask(of: lesson) { task, place in
      let answer = task.answers[0].text
      #expect(isRight("begin\n\(answer)\ncancel") != task.grading.comparesStore, "\(place)")
      session.run("reset")
      if task.grading.comparesStore {
        let isWanted = task.must.contains { $0.words.contains("begin") }
        #expect(isRight("begin\n\(answer)\ncommit") || isWanted, "\(place)")
      }
    }
  }

  @Test("undone or unused statements do not count for the words of a task")
  func words() {
    session.run("lesson 12.4")
    let changes = "update Item/4 set done = YES\ndelete Item/8"
    #expect(!isRight("begin\ncancel\n\(changes)"))
    session.run("reset")
    #expect(isRight("begin\n\(changes)\ncommit"))
    #expect(!isRight("undo"))
    #expect(isRight("redo"))
    session.run("lesson 3.4")
    session.run("fetch Task where NOT priority == 0")
    #expect(!isRight("fetch Task where priority >= 2"))
    session.run("let $p = {0, 1}")
    #expect(isRight("fetch Task where NOT priority IN $p"))
    session.run("lesson 6.2\nlet $t = Task/1")
    #expect(isRight("fetch Task where completed == NO AND NOT dueDate < \"2026-02-01\""))
    #expect(!isRight("fetch Task where completed == NO AND NOT dueDate < $t.dueDate"))
  }

  @Test("a name has its meaning at the time of its use")
  func names() {
    session.run("lesson 12.5")
    let answer = "fetch Item where title CONTAINS $word"
    #expect(isRight("let $w = \"掃除\"\nlet $word = $w\nlet $w = \"x\"\n\(answer)"))
    #expect(isRight("let $word = Item/1\nlet $word = \"掃除\"\n\(answer)"))
    #expect(isRight("request Words = \(answer)\nrun Words"))
    session.run("lesson 6.4")
    #expect(isRight("fetch Task\nfetch _ where dueDate != nil\ncount _"))
  }

  @Test("a change continues from the object in a variable")
  func goingOn() {
    session.run("lesson 12.1")
    #expect(!isRight("let $new = insert Item title = \"傘\""))
    #expect(isRight("update $new set parentCategory = Category/3"))
    session.run("reset")
    #expect(!isRight("insert Item title = \"傘\"\nundo"))
  }

  @Test("steps of an answer count together, whatever was tried before them")
  func steps() throws {
    let lesson = """
      ---
      lesson: 1
      title: Mine
      store: dates.json
      ---
      ## Two
      Which?
      ```answer store
      update MemoDate set notifiable = NO all
      delete MemoDate where category == "Office"
      ```
      """
    try lesson.write(toFile: folder.path + "/mine.md", atomically: true, encoding: .utf8)
    session.run("lesson \"\(folder.path)/mine.md\"")
    #expect(!isRight("delete MemoDate all"))
    #expect(!isRight("update MemoDate set notifiable = NO all"))
    #expect(isRight("delete MemoDate where category == \"Office\""))
    #expect(!isRight("undo"))
    #expect(isRight("redo"))
  }

  @Test("submitted answers are graded by the last try")
  func submission() throws {
    let lesson = try #require(Self.lessons.first { $0.number == 12 })
    let contents = try LessonStore(.live(style: .plain)).contents(ofOwn: lesson)
    let start = TrialStore(
      graph: contents.graph, zone: contents.zone, now: folder.services.now())
    let graders = lesson.tasks.map { Grader($0, on: start, seed: 12) }
    let changes = "update Item/4 set done = YES\ndelete Item/8"
    let texts = [
      "begin\n\(changes)\ncommit": true, "begin\ncancel\n\(changes)": false,
      "fetch Item/4\nbegin\n\(changes)\ncommit\nfetch Item": true, changes: false,
      "begin\n\(changes)\ncancel": false,
    ]
    for (text, isRight) in texts {
      let marks = Submission(Array("-- 12.4\n\(text)\n".utf8), name: "a.kura").marks(graders)
      #expect(marks[3].isRight == isRight, "\(text)")
    }
  }
}
