import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura check CASES.tsv …`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura check", abstract: "Runs tables of cases for predicates.",
    discussion: CaseTables.overview)

  @Argument(help: "The tables.") var files: [String]

  func run() -> ExitStatus {
    CaseTables(files, Wiring.surroundings(color: .automatic)).check()
  }
}
