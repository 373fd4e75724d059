/// What `kura lesson` is about, for the help of the command.
package enum LessonOverview {
  package static let text = """
    kura lesson                        a conversation, in the first lesson that is not done
    kura lesson 6                      the same, in lesson 6
    kura lesson mine.md                in a lesson of your own
    kura lesson check mine.md …        whether a lesson is right
    kura lesson grade mine.md answers/*.kura --format csv   grades a class
    kura notebook handout.md           runs the blocks of a notebook again
    """
  package static let check = """
    Every answer runs and gives what the first one gives, every wrong try differs somewhere, every
    varied store keeps the rules of its model, and a translation has the same statements.
    """
  package static let grade = """
    A row for each file of answers, a column for each task. In such a file the statements of a task
    stand behind a line with its number: -- 6.2
    """
}
