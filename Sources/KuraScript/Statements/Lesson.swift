import KuraDiagnostics
import KuraPredicates

/// `lesson`, `lesson 6`, `lesson 6.2`, `lesson "mine.md"`, `lesson end`
package enum LessonStatement: StatementTree {
  case list
  /// A lesson's number and, after a dot, a task's number.
  case number(Name)
  case file(Name)
  case end
}

/// `hint`
package struct HintStatement: StatementTree {}

/// `answer`, `answer 5`, `answer Task/3`, `answer yes`
package struct AnswerStatement: StatementTree {
  /// The answer to a question; nil shows the right answer.
  package var words: Name?
}

/// `next`
package struct NextStatement: StatementTree {}

/// `reset`
package struct ResetStatement: StatementTree {}

/// `progress`
package struct ProgressStatement: StatementTree {}

/// `quiz`, `quiz Item`, `quiz Item seed 7`, `quiz end`
package struct QuizStatement: StatementTree {
  /// The entity; nil for any.
  package var entity: Name?
  package var seed: UInt64?
  package var isEnd = false
}

extension StatementSyntax {
  static let lesson = StatementSyntax(
    "lesson", synopsis: "lesson [N | N.TASK | FILE | end]",
    summary: "lists the lessons, starts one, or returns to the previous store",
    example: "lesson 1"
  ) { parser throws(SyntaxError) in
    try parser.readLesson()
  }

  static let hint = StatementSyntax(
    "hint", synopsis: "hint", summary: "gives a hint for the task of a lesson or a quiz",
    example: "hint"
  ) { _ throws(SyntaxError) in HintStatement()
  }

  static let answer = StatementSyntax(
    "answer", synopsis: "answer [ANSWER]",
    summary: "shows the answer after an attempt, or answers a quiz question",
    example: "answer 5"
  ) { parser throws(SyntaxError) in
    AnswerStatement(words: parser.restOfStatement)
  }

  static let next = StatementSyntax(
    "next", synopsis: "next", summary: "goes to the next task of a lesson or a quiz",
    example: "next"
  ) { _ throws(SyntaxError) in NextStatement()
  }

  static let reset = StatementSyntax(
    "reset", synopsis: "reset",
    summary: "resets the store of a lesson, and restarts the task",
    example: "reset"
  ) { _ throws(SyntaxError) in ResetStatement()
  }

  static let progress = StatementSyntax(
    "progress", synopsis: "progress", summary: "shows the solved tasks of each lesson",
    example: "progress"
  ) { _ throws(SyntaxError) in ProgressStatement()
  }

  static let quiz = StatementSyntax(
    "quiz", synopsis: "quiz [ENTITY] [seed N]\nquiz end",
    summary:
      "asks questions about the open store; they get harder after three right answers in a row",
    example: "quiz seed 7"
  ) { parser throws(SyntaxError) in
    try parser.readQuiz()
  }
}

extension StatementParser {
  fileprivate func readLesson() throws(SyntaxError) -> LessonStatement {
    let token = optional
    guard token.end == nil, !token.is(.semicolon) else { return .list }
    if takeWord("end") != nil { return .end }
    if token.kind == .string { return .file(try takeString()) }
    guard token.kind == .number else { throw expected(.lesson) }
    take()
    return .number(Name(text(token), span: token.span))
  }

  fileprivate func readQuiz() throws(SyntaxError) -> QuizStatement {
    var quiz = QuizStatement()
    if takeWord("end") != nil {
      quiz.isEnd = true
      return quiz
    }
    let token = optional
    if token.end == nil, !token.is(.semicolon), !isWord(token, "seed") {
      quiz.entity = try takeName(.entity)
    }
    quiz.seed = try readSeed()
    return quiz
  }

  /// Takes the rest of the line as written.
  fileprivate var restOfStatement: Name? {
    var span: SourceSpan?
    while optional.end == nil, !optional.is(.semicolon) {
      span = span?.joined(optional.span) ?? optional.span
      take()
    }
    return span.map { Name(cursor.text($0), span: $0) }
  }
}
