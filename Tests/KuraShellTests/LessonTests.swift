import Foundation
import KuraDiagnostics
import KuraGraph
import KuraLessons
import KuraSentences
import Testing

@testable import KuraShell

@Suite("A lesson in the shell")
struct LessonTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func talk(_ language: Language = .english) throws -> TestSession {
    try TestSession(folder) { $0.language = language }
  }

  @Test("begins, grades tries, helps, continues and ends")
  func course() throws {
    let talk = try talk()
    #expect(talk("lesson 2").contains("Lesson 2 of 13: One comparison"))
    #expect(talk("answer") == "Try the task once; after that, answer shows the answer.\n")
    #expect(talk("hint") == "Hint: The key is category, the value is the text \"Office\".\n")
    #expect(talk("hint").contains("no more hints"))
    #expect(
      talk("fetch MemoDate where category != \"Office\" limit 1").contains("✗ Not yet."))
    #expect(talk("answer").contains("fetch MemoDate where category == \"Office\""))
    #expect(talk("fetch MemoDate where category LIKE \"Office\"").contains("✓ Right"))
    #expect(talk("next").contains("Task 2.2 (2 of 4): Reading an error"))
    #expect(
      talk("lesson end")
        == "The lesson has ended; FOLDER/dates.json is open again. lesson 2 continues where you left off.\n"
    )
    #expect(talk("count MemoDate") == "3\n")
  }

  @Test("only grades what could be the answer")
  func others() throws {
    let talk = try talk()
    talk("lesson 2.1")
    for statement in [
      "count MemoDate", "describe MemoDate", "print 1", "let $x = 3",
      "fetch MemoDate where category == \"Office\" select title",
    ] {
      let output = talk(statement)
      #expect(!output.contains("✗") && !output.contains("✓"), "\(statement): \(output)")
    }
    #expect(talk("answer").contains("Try the task once"))
    #expect(talk("next").contains("2.1 is not solved yet: lesson 2.1 returns to it."))
    talk("lesson 2.1")
    for _ in 0..<2 {
      #expect(
        talk("count MemoDate").hasPrefix(
          "10\nNot counted as a try: the task asks for whole objects"))
    }
    #expect(talk("fetch MemoDate where category == Office").contains("error: "))
    #expect(talk("answer").contains("The answer:"), "an error is a try")
  }

  @Test("uses variables, the last fetch and saved names")
  func preparations() throws {
    let talk = try talk()
    talk("lesson 12.5\nlet $word = \"掃除\"")
    #expect(talk("fetch Item where title CONTAINS $word").contains("✓ Right"))
    talk("lesson 6.4\nfetch Task where dueDate != nil")
    #expect(talk("count _").contains("✓ Right"))
    talk("lesson 2.1\ndelete MemoDate/10")
    #expect(
      talk("fetch MemoDate where category == \"Office\"").contains("✓ Right"),
      "the question is about the store as it was")
  }

  @Test("compares the graph after changes, all of them together")
  func changes() throws {
    let talk = try talk()
    talk("lesson 12.4\nbegin")
    #expect(!talk("update Item/4 set done = YES").contains("✗"), "a scratch context is open")
    talk("delete Item/8")
    #expect(talk("commit").contains("✓ Right"))
    talk("lesson 12.2")
    #expect(
      talk("update Item set done = YES all").contains("These are the items of every category."))
    #expect(!talk("undo").contains("✗"), "what is taken back is no try")
    #expect(
      talk("update Item set done = YES where parentCategory.name == \"家\"").contains("✓ Right"))
    #expect(talk("reset").contains("The store is as it was"))
    #expect(talk("count Item where done == YES") == "2\n")
  }

  @Test("never writes to a file, and leaves unsaved changes alone")
  func copies() throws {
    let talk = try talk()
    talk("lesson 1\ndelete MemoDate all\nlesson end")
    #expect(talk("changes").contains("(0 rows)"))
    #expect(talk.leave().status == .done)
    #expect(folder.text("dates.json") == TestFolder.dates)
    let other = try self.talk()
    other("update MemoDate/1 set title = \"x\"")
    #expect(other("lesson 1").contains("error: there are unsaved changes"))
  }

  @Test("ends when another store is opened")
  func opened() throws {
    let talk = try talk()
    talk("lesson 1\ndelete MemoDate/1")
    #expect(talk(".open FOLDER/plain.json") == "")
    #expect(talk("count plain") == "2\n")
    #expect(talk("hint").contains("no lesson or quiz is open"))
  }

  @Test("uses the learner's language")
  func japanese() throws {
    let talk = try talk(.japanese)
    #expect(talk("lesson 6").contains("レッスン6（全13回）：値がないとき"))
    #expect(talk("fetch Task where dueDate != nil").contains("✗ まだ違います。これは期日のあるタスクです。"))
    #expect(talk(".language") == ".language ja\n")
    talk(".language en")
    #expect(talk("lesson 6").contains("Lesson 6 of 13: Nothing there"))
    #expect(talk(".language fr").contains("use one of: en, ja"))
  }

  @Test("of the user is read from a file, with messages about its errors")
  func own() throws {
    let lesson = """
      ---
      lesson: 3
      title: Mine
      store: dates.json
      ---
      ## One
      Which?
      ```answer
      fetch MemoDate where category == "Office"
      ```
      """
    try lesson.write(toFile: folder.path + "/mine.md", atomically: true, encoding: .utf8)
    let talk = try talk()
    #expect(talk("lesson \"FOLDER/mine.md\"").contains("Task 3.1 (1 of 1): One"))
    #expect(talk("fetch MemoDate where category == \"Office\"").contains("✓ Right"))
    #expect(talk("next") == "This was the last task.\n")
    #expect(talk("lesson \"FOLDER/none.md\"").contains("cannot read"))
    try lesson.replacing("```answer", with: "```anser")
      .write(toFile: folder.path + "/mine.md", atomically: true, encoding: .utf8)
    #expect(talk("lesson \"FOLDER/mine.md\"").contains("this task has no answer") == false)
  }

  @Test("stores progress in the learner's file, merged with that of another session")
  func progress() throws {
    var kept: [UInt8]?
    var services = folder.services
    services.progressFile = ProgressFile(
      path: "p.json", read: { kept }, write: { kept = $0 }, putAside: { kept = nil })
    let one = try Session(Launch(), services)
    let other = try Session(Launch(), services)
    one.run("lesson 1\nfetch MemoDate")
    other.run("lesson 1.2\ncount MemoDate")
    one.run("lesson 1.4\nfetch MemoDate/7")
    let progress = try #require(LessonProgress(reading: kept ?? []))
    #expect(progress.lessons["1"]?.solved == [1, 2, 4])
    #expect(progress.place == "1.4")
    let third = try Session(Launch(), services)
    third.run("lesson 1")
    #expect(third.learning.lesson?.place == "1.3", "the first unsolved task")
    kept = Array("nonsense".utf8)
    let fourth = try Session(Launch(), services)
    fourth.run("progress")
    try fourth.targets.flush()
    #expect(folder.output.contains("was renamed to p.json.damaged"))
  }

  @Test("shows the highest mastered level of a quiz")
  func mastery() throws {
    var progress = LessonProgress()
    progress.quiz["Task"] = 2
    var kept = progress.bytes
    var services = folder.services
    services.progressFile = ProgressFile(
      path: "p.json", read: { kept }, write: { kept = $0 }, putAside: {})
    let session = try Session(Launch(), services)
    session.run("progress")
    try session.targets.flush()
    #expect(folder.output.contains(/quiz │ Task +│ 2\/3/))
    session.learning.progress.noteQuiz("Task", level: 1)
    #expect(LessonProgress(reading: kept)?.quiz["Task"] == 2)
  }

  @Test("appears in the prompt")
  func prompt() throws {
    let session = try Session(Launch(), folder.services)
    session.run("lesson 6.2")
    #expect(session.takePrompt(isContinuation: false).first == "kura[6.2]> ")
    session.run("begin \"x\"\ndelete Task all")
    #expect(session.takePrompt(isContinuation: false).first == "kura[6.2]/x> ")
    #expect(!session.hasUnsaved)
    session.run("lesson end")
    #expect(session.takePrompt(isContinuation: false).first == "kura> ")
  }
}

@Suite("A quiz")
struct QuizTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func session() throws -> Session {
    let session = try Session(Launch(), folder.services)
    session.run("lesson 6")
    return session
  }

  @Test("asks valid questions, harder after three right answers", arguments: UInt64(1)...12)
  func answers(seed: UInt64) throws {
    let session = try session()
    session.run("quiz Task seed \(seed)")
    var levels: [Int] = []
    for _ in 0..<6 {
      let run = try #require(session.learning.quiz)
      let question = try #require(run.question)
      levels.append(run.level)
      if case .write(let predicate) = question {
        session.run("fetch Task where \(predicate.text)")
      } else {
        session.run("answer \(question.answer)")
      }
      session.run("next")
    }
    #expect(levels == [1, 1, 1, 2, 2, 2])
    #expect(session.status == .done)
  }

  @Test("repeats wrong answers, and is the same for the same seed")
  func returns() throws {
    let session = try session()
    session.run("quiz Task seed 5")
    let first = try #require(session.learning.quiz?.question).answer
    session.run("answer\nnext\nnext\nnext")
    #expect(session.learning.quiz?.question?.answer == first)
    session.run("quiz Task seed 5")
    #expect(session.learning.quiz?.question?.answer == first)
  }

  @Test("uses the variables of an answer")
  func variables() throws {
    for seed in UInt64(1)...30 {
      let session = try session()
      session.run("quiz Task seed \(seed)")
      guard let question = session.learning.quiz?.question, case .write(let predicate) = question
      else {
        continue
      }
      session.run("let $p = predicate \(predicate.text)\nfetch Task where $p")
      #expect(session.learning.quiz?.right == 1, "\(predicate.text)")
      return
    }
    Issue.record("no question wants a fetch")
  }

  @Test("has predicates that a fifth to four fifths of the objects pass", arguments: 1...3)
  func shares(level: Int) throws {
    let session = try session()
    let store = TrialStore(
      graph: session.context.graph, zone: session.zone, now: session.services.now())
    for entity in ["Task", "Tag"] {
      let maker = QuizMaker(store, entity: entity)
      var found = 0
      for seed in UInt64(1)...20 {
        var random = SeededNumbers(seed: seed)
        guard let predicate = maker.predicate(level: level, &random) else { continue }
        found += 1
        guard case .objects(let ids, _)? = maker.outcome("fetch \(entity) where \(predicate.text)")
        else {
          Issue.record("\(predicate.text)")
          continue
        }
        let share = Double(ids.count) / Double(store.graph.objectCount(of: entity))
        #expect((0.2...0.8).contains(share), "\(predicate.text)")
      }
      #expect(found >= 15, "\(entity), level \(level)")
    }
  }

  @Test("reports stores without questions, and texts that are not answers")
  func refusals() throws {
    let talk = try TestSession(folder)
    #expect(talk("quiz").contains("too few objects for a quiz: no entity has 4 objects"))
    #expect(
      talk("quiz MemoDate").contains(
        "too few objects for a quiz: MemoDate has fewer than 4 objects"))
    #expect(talk("quiz Nobody").contains("there is no entity"))
    #expect(talk("answer 3").contains("no lesson or quiz is open"))
    talk("lesson 6")
    for seed in 1...20 {
      talk("quiz Task seed \(seed)")
      #expect(talk("answer perhaps so").contains("error: "), "\(seed)")
    }
    #expect(talk("quiz end").contains("0 of 1 right."))
  }
}
