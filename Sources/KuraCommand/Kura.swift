import ArgumentParser
import Foundation
import KuraSentences
import KuraShell
import KuraTerminal

/// The command `kura`: reads the arguments, wires a session to the system, and says how it went.
@main
enum Kura {
  static func main() {
    Wiring.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    Launch.language(of: arguments).speaks { run(arguments) }
  }

  private static func run(_ arguments: [String]) {
    if let plain = Launch.plain(arguments) {
      Foundation.exit(Wiring(color: .automatic).run(plain).rawValue)
    }
    let (rest, more) = (Array(arguments.dropFirst()), Array(arguments.dropFirst(2)))
    switch (arguments.first, rest.first) {
    case ("check", _): exit(CheckCommand.self, rest) { $0.run() }
    case ("lesson", "check"): exit(LessonCheckCommand.self, more) { $0.run() }
    case ("lesson", "grade"): exit(LessonGradeCommand.self, more) { $0.run() }
    case ("notebook", _): exit(NotebookCommand.self, rest) { $0.run() }
    case ("generate", _):
      let generator = Generator(options: ShellCommand.helpMessage(columns: 76)) {
        CompletionShell(rawValue: $0).map { ShellCommand.completionScript(for: $0) }
      }
      Foundation.exit(generator.run(rest).rawValue)
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
