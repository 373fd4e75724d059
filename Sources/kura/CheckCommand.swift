import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura check CASES.tsv …`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura check", abstract: "Runs tables of cases for predicates.",
    discussion: """
      A line has columns with TABs between them: an object as JSON, or -; a predicate; what must
      come out: true, false, error, parses, or = and how the predicate prints; and perhaps a note.
      """)

  @Argument(help: "The tables.") var files: [String]

  func run() -> ExitStatus {
    CaseTables(files, Wiring.surroundings(color: .automatic)).check()
  }
}
