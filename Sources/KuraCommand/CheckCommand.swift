import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura check CASES.tsv …`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura check", abstract: LaunchHelp.checks,
    discussion: CaseTables.overview)

  @Argument(help: .init(LaunchHelp.tables)) var files: [String]

  func run() -> ExitStatus {
    CaseTables(files, Wiring.surroundings(color: .automatic)).check()
  }
}
