import KuraSentences

/// The descriptions of the commands about lessons, for their help.
package enum LessonOverview {
  package static var check: String {
    localized(
      """
      Checks that every answer runs and has the first answer's result, that every
      wrong try differs in at least one store, that every varied store satisfies the
      rules of its model, and that a translation has the same statements.
      """)
  }

  package static var grade: String {
    localized(
      """
      Shows a row for each file of answers and a column for each task. In the file, a
      line with the task's number, such as -- 6.2, precedes its statements.
      """)
  }
}
