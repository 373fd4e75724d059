import KuraDiagnostics
import KuraSentences
import Testing

@testable import KuraLessons

@Suite("Reading a lesson")
struct LessonReaderTests {
  private static let small = """
    ---
    lesson: 6
    title: Nothing there
    store: Dotodo.json
    minutes: 8
    ---
    No comparison with nil is true.

    ## Those without
    Which tasks have no date?
    ```answer ordered
    fetch Task where dueDate == nil
    ```
    ```answer
    fetch Task where NOT dueDate != nil
    ```
    ```hint
    Compare with nil.
    ```
    ```wrong
    fetch Task where dueDate != nil
    -- These are the
    -- other ones.
    ```
    ```vary
    delete Task/1
    ```
    must: NOT or ==, where        must not: objectID

    Nil is another thing than zero.
    """

  @Test("finds its text, and the parts of each task")
  func small() throws {
    let lesson = try LessonReader.read(Self.small, file: "a.md")
    #expect(lesson.number == 6 && lesson.title == "Nothing there" && lesson.minutes == 8)
    #expect(lesson.opening == "No comparison with nil is true.")
    let task = try #require(lesson.tasks.first)
    #expect(task.title == "Those without" && task.question == "Which tasks have no date?")
    #expect(task.answers.map(\.firstLine) == [12, 15] && task.grading.isOrdered)
    #expect(task.hints == ["Compare with nil."])
    #expect(task.wrongTries.map(\.comment) == ["These are the other ones."])
    #expect(task.wrongTries.map(\.script.text) == ["fetch Task where dueDate != nil"])
    #expect(task.variations.map(\.text) == ["delete Task/1"])
    #expect(task.must.map(\.words) == [["NOT", "=="], ["where"]])
    #expect(task.mustNot.map(\.words) == [["objectID"]])
    #expect(task.discussion == "Nil is another thing than zero.")
  }

  @Test(
    "reports errors with their places",
    arguments: [
      ("", "x.md:1:1: error: a lesson starts with a line ---, its fields, and another line ---"),
      ("title: Nothing there", "x.md:1:1: error: the field title is missing"),
      ("minutes: 8", "x.md:5:10: error: minutes must be a number, not \"many\""),
      ("lesson: 6", "x.md:2:1: error: unknown field \"leson\""),
      ("```answer ordered", "x.md:11:11: error: an answer block has no option \"orderd\""),
      ("```hint", "x.md:17:4: error: unknown block \"hnt\""),
      (
        "-- These are the\n-- other ones.", "x.md:20:1: error: this wrong answer has no explanation"
      ),
      (
        "NOT or ==, where        must not: objectID",
        "x.md:28:1: error: this rule contains no words"
      ),
    ])
  func mistakes(taken: String, message: String) throws {
    let replacements = [
      "": ("---\nlesson", "lesson"), "title: Nothing there": ("title: Nothing there\n", "\n"),
      "minutes: 8": ("minutes: 8", "minutes: many"), "lesson: 6": ("lesson: 6", "leson: 6"),
      "```answer ordered": ("ordered", "orderd"), "```hint": ("```hint", "```hnt"),
    ]
    let (old, new) = replacements[taken] ?? (taken, "")
    let text = Self.small.replacing(old, with: new, maxReplacements: 1)
    let problems = #expect(throws: LessonProblems.self) {
      try LessonReader.read(text, file: "x.md")
    }
    let lines = problems?.diagnostics.map { $0.rendered().split(separator: "\n")[0] } ?? []
    #expect(lines.contains { $0 == message }, "\(lines)")
  }

  @Test("finds an open fence, a task without an answer, and a file without tasks")
  func shapes() {
    let head = "---\nlesson: 1\ntitle: a\nstore: b.json\n---\n"
    for (body, sentence) in [
      ("## A\n```answer\nfetch B\n", "this block is not closed"),
      ("## A\n```hint\nx\n```\n", "this task has no answer"),
      ("## A\n```answer\n\n```\n", "this answer is empty"), ("text\n", "the lesson has no task"),
      ("```hint\nx\n```\n", "this hint is before the first task"),
    ] {
      let problems = #expect(throws: LessonProblems.self) {
        try LessonReader.read(head + body, file: "x.md")
      }
      let found = problems?.diagnostics.map(\.facts.sentence) ?? []
      #expect(found.contains(sentence), "\(body): \(found)")
    }
  }

  @Test("with Windows line ends and a byte order mark has the same result")
  func windows() throws {
    let text = "\u{FEFF}" + Self.small.replacing("\n", with: "\r\n")
    let lesson = try LessonReader.read(text, file: "a.md")
    #expect(lesson.tasks.first?.answers.count == 2)
    #expect(lesson.tasks.first?.wrongTries.first?.comment == "These are the other ones.")
  }
}

@Suite("Lessons that come with Kura")
struct LessonLibraryTests {
  @Test("can be read, and have the same number in every language", arguments: Language.allCases)
  func read(language: Language) {
    #expect(LessonLibrary.problems.map { $0.rendered() } == [])
    let lessons = LessonLibrary.lessons(in: language)
    #expect(lessons.map(\.number) == Array(1...13))
    #expect(lessons.allSatisfy { $0.tasks.count >= 3 && $0.minutes != nil })
    if language != .english {
      #expect(lessons.allSatisfy { $0.file.hasSuffix(".\(language.rawValue).md") })
    }
  }

  @Test("one to six fit into ninety minutes")
  func ninetyMinutes() {
    let minutes = LessonLibrary.lessons(in: .english).prefix(6).compactMap(\.minutes)
    #expect(minutes.reduce(0, +) <= 90)
  }
}
