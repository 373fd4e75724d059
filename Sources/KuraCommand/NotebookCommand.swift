import ArgumentParser
import KuraShell
import KuraTerminal

/// `kura notebook FILE.md …`
struct NotebookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kura notebook", abstract: "Runs the statements of Markdown files again.",
    discussion: NotebookCheck.overview)

  @Argument(help: "The files.") var files: [String]
  @Flag(help: "Bring the files up to date.") var write = false

  func run() -> ExitStatus {
    NotebookCheck(files, writes: write, Wiring.surroundings(color: .automatic)).run()
  }
}
