import ArgumentParser
import Foundation
import KuraSentences
import KuraShell
import KuraTerminal
import LineEditor

/// The command `kura`: reads the arguments, wires a session to the system, and says how it went.
@main
enum Kura {
  static func main() {
    LineInput.useUTF8()
    StandardStreams.prepare()
    Crash.explain(StandardStreams.crashMessage, withoutMemory: StandardStreams.memoryMessage) {
      Session.rescue()
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    Launch.language(of: arguments).speaks { run(arguments) }
  }

  private static func run(_ arguments: [String]) {
    if let plain = Launch.plain(arguments) {
      Foundation.exit(Wiring(color: .automatic).run(plain).rawValue)
    }
    switch arguments.first {
    case "check": exit(CheckCommand.self, Array(arguments.dropFirst())) { $0.run() }
    case "lesson" where arguments.dropFirst().first == "check":
      exit(LessonCheckCommand.self, Array(arguments.dropFirst(2))) { $0.run() }
    case "lesson" where arguments.dropFirst().first == "grade":
      exit(LessonGradeCommand.self, Array(arguments.dropFirst(2))) { $0.run() }
    case "notebook": exit(NotebookCommand.self, Array(arguments.dropFirst())) { $0.run() }
    case "generate":
      let generator = Generator(options: ShellCommand.helpMessage(columns: 76)) {
        CompletionShell(rawValue: $0).map { ShellCommand.completionScript(for: $0) }
      }
      Foundation.exit(generator.run(Array(arguments.dropFirst())).rawValue)
    default: exit(ShellCommand.self, Launch.joiningPairs(arguments)) { try $0.run() }
    }
  }

  private static func exit<Command: ParsableArguments>(
    _ type: Command.Type, _ arguments: [String], _ run: (Command) throws -> ExitStatus
  ) -> Never {
    do {
      Foundation.exit(try run(try Command.parse(arguments)).rawValue)
    } catch {
      let code = Command.exitCode(for: error)
      if code.isSuccess, Language.current == .english { Command.exit(withError: error) }
      let message = ArgumentWords.translated(Command.fullMessage(for: error))
      code.isSuccess
        ? StandardStreams.answer(message) : StandardStreams.refuse(message, code.rawValue)
    }
  }
}
