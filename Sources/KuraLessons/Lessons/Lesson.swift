/// A lesson from a file: text, and tasks whose answers are graded by their results.
package struct Lesson: Sendable {
  /// Its number among the lessons: 6 in `6.2`.
  package var number = 0
  package var title = ""
  /// The file of its store.
  package var store = ""
  package var minutes: Int?
  /// The text before the first task, in Markdown.
  package var opening = ""
  package var tasks: [LessonTask] = []
  /// The lesson's own file, for messages.
  package var file = ""
}

/// A task of a lesson.
package struct LessonTask: Sendable {
  /// The number, from 1.
  package var number: Int
  /// Its heading.
  package var title = ""
  /// The text between the previous task and the question.
  package var lead = ""
  package var question = ""
  /// The answers, all with the same result; the first one is shown.
  package var answers: [LessonScript] = []
  package var grading = Grading()
  /// The hints, in the order in which they are shown.
  package var hints: [String] = []
  /// Common wrong answers, with comments.
  package var wrongTries: [WrongTry] = []
  /// Changes of the store for which an answer must be right, too.
  package var variations: [LessonScript] = []
  package var must: [WordRule] = []
  package var mustNot: [WordRule] = []
  /// The text after it is solved.
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

/// The parts of results that are compared, if the answer does not show them.
package struct Grading: Sendable, Equatable {
  /// `ordered`: rows with their order
  package var isOrdered = false
  /// `columns`: the values shown instead of the objects
  package var comparesColumns = false
  /// `store`: the graph after the answer
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

/// A common wrong answer, with a comment.
package struct WrongTry: Sendable {
  package var script: LessonScript
  package var comment: String
}

/// A list of words such as `NOT or OR`. An answer must contain at least one of them, or none.
package struct WordRule: Sendable, Equatable {
  package var words: [String]
}

extension Lesson {
  /// Returns the place of a task: `6.2`
  package func place(of task: LessonTask) -> String { "\(number).\(task.number)" }
}
