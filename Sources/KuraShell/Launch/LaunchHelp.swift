import KuraSentences

/// What `--help` says of the command and of each of its arguments.
package enum LaunchHelp {
  package static var format: String { localized("How results are written: \(Launch.formatList).") }
  package static var abstract: String {
    localized("A shell for object graphs, with Cocoa's predicates.")
  }
  package static var store: String {
    localized("A store, plain JSON, or - for standard input; without it all is in memory.")
  }
  package static var statements: String { localized("Statements to run.") }
  package static var script: String { localized("Run a script.") }
  package static var argument: String { localized("Let $NAME be a string.") }
  package static var zone: String { localized("Read and write dates in this zone.") }
  package static var lockTimeout: String { localized("Wait so long for others to save.") }
  package static var locale: String {
    localized("Show values, and order under [l], by this locale.")
  }
  package static var language: String { localized("Speak this language: en or ja.") }
  package static var author: String { localized("Who saves, for the history of the store.") }
  package static var create: String { localized("Make STORE, an empty store, and open it.") }
  package static var readOnly: String { localized("Refuse to save.") }
  package static var safe: String {
    localized("Touch nothing but STORE, for scripts of others: no other files, no commands.")
  }
  package static var autosave: String { localized("Save at the end.") }
  package static var dryRun: String { localized("Say what a save would write, and write nothing.") }
  package static var keepGoing: String { localized("Go on after an error.") }
  package static var timeout: String {
    localized("End each statement that takes longer, in seconds.")
  }
  package static var noLock: String { localized("Take no lock, where a file system has none.") }
  package static var noCache: String { localized("Keep and use no columns in ~/.cache/kura.") }
  package static var dropDamagedSave: String {
    localized("Give up the last save, where it is damaged.")
  }
  package static var noInit: String { localized("Leave ~/.kurarc unread.") }
  package static var color: String { localized("Colour messages: auto, always or never.") }
  package static var diagnostics: String {
    localized("Write messages as text, or as json, an object a line.")
  }
  package static var checks: String { localized("Runs tables of cases for predicates.") }
  package static var tables: String { localized("The tables.") }
  package static var notebooks: String { localized("Runs the statements of Markdown files again.") }
  package static var files: String { localized("The files.") }
  package static var write: String { localized("Bring the files up to date.") }
  package static var lessonCheck: String { localized("Proves that lessons are right.") }
  package static var lessons: String { localized("The lessons.") }
  package static var lessonGrade: String { localized("Grades the answers of a class.") }
  package static var lesson: String { localized("The lesson.") }
  package static var answers: String { localized("The answers, a file for each learner.") }
  package static var explain: String {
    localized("A row for each answer, with what is said of it.")
  }
  package static var explanationLanguage: String {
    localized("In which language that is said: en or ja.")
  }
  package static var gradeFormat: String {
    localized("How the grades are written: \(Launch.formatList).")
  }
}
