import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura notebook FILE.md …`
struct NotebookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura notebook", abstract: LaunchHelp.notebooks,
    discussion: NotebookCheck.overview)

  @Argument(help: .init(LaunchHelp.files)) var files: [String]
  @Flag(help: .init(LaunchHelp.write)) var write = false

  func run() -> ExitStatus {
    NotebookCheck(files, writes: write, Wiring.surroundings(color: .automatic)).run()
  }
}
