/// A lesson as its file has it: text, and tasks whose answers are graded by their results.
package struct Lesson: Sendable {
  /// Its place among the others: 6 in `6.2`.
  package var number = 0
  package var title = ""
  /// The file of the store that it is about.
  package var store = ""
  package var minutes: Int?
  /// What is read before the first task, in Markdown.
  package var opening = ""
  package var tasks: [LessonTask] = []
  /// The lesson's own file, as messages name it.
  package var file = ""
}

/// Something to find out or to do.
package struct LessonTask: Sendable {
  /// Counted from 1.
  package var number: Int
  /// Its heading.
  package var title = ""
  /// What is read before its question, from the end of the task before.
  package var lead = ""
  package var question = ""
  /// The first one is shown; all give the same result.
  package var answers: [LessonScript] = []
  package var grading = Grading()
  /// One after the other.
  package var hints: [String] = []
  /// What people try, and why that is not it.
  package var wrongTries: [WrongTry] = []
  /// Changes of the store with which an answer must hold too.
  package var variations: [LessonScript] = []
  package var must: [WordRule] = []
  package var mustNot: [WordRule] = []
  /// What is read once it is solved.
  package var discussion = ""
  /// The line of its heading.
  package var line: Int

  package init(number: Int, lead: String = "", answers: [LessonScript] = [], line: Int) {
    self.number = number
    self.lead = lead
    self.answers = answers
    self.line = line
  }
}

/// What of results is compared, where the answer does not say it.
package struct Grading: Sendable, Equatable {
  /// `ordered`: rows in their order
  package var isOrdered = false
  /// `columns`: what is shown, and not which objects
  package var comparesColumns = false
  /// `store`: what the graph is behind it
  package var comparesStore = false
}

/// Statements in a lesson's file.
package struct LessonScript: Sendable, Equatable {
  package var text: String
  /// The file and the line of the first statement, for messages.
  package var file: String
  package var firstLine: Int

  package init(text: String, file: String, firstLine: Int) {
    self.text = text
    self.file = file
    self.firstLine = firstLine
  }
}

/// Statements that people try, and what is said of them.
package struct WrongTry: Sendable {
  package var script: LessonScript
  package var comment: String
}

/// `NOT or OR`: words of which an answer has one, or none.
package struct WordRule: Sendable, Equatable {
  package var words: [String]
}

extension Lesson {
  /// `6.2`
  package func place(of task: LessonTask) -> String { "\(number).\(task.number)" }
}
