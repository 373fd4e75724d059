import KuraSentences

/// The descriptions of the commands about lessons, for their help.
package enum LessonOverview {
  package static var check: String {
    localized(
      """
      Every answer runs and gives what the first one gives, every wrong try
      differs somewhere, every varied store keeps the rules of its model, and a
      translation has the same statements.
      """)
  }

  package static var grade: String {
    localized(
      """
      A row for each file of answers, a column for each task. In such a file the
      statements of a task stand behind a line with its number: -- 6.2
      """)
  }
}
