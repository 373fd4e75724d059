import ArgumentParser
import Foundation
import KuraShell
import LineEditor

/// The command `kura`: reads the arguments, wires a session to the system, and says how it went.
@main
enum Kura {
  static func main() {
    LineInput.useUTF8()
    StandardStreams.prepare()
    Crash.explain(StandardStreams.crashMessage) { Session.rescue() }
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "check" {
      exit(CheckCommand.self, Array(arguments.dropFirst())) { $0.run() }
    }
    exit(ShellCommand.self, Launch.joiningPairs(arguments)) { try $0.run() }
  }

  private static func exit<Command: ParsableArguments>(
    _ type: Command.Type, _ arguments: [String], _ run: (Command) throws -> ExitStatus
  ) -> Never {
    do {
      Foundation.exit(try run(try Command.parse(arguments)).rawValue)
    } catch {
      let code = Command.exitCode(for: error)
      if code.isSuccess { Command.exit(withError: error) }
      StandardStreams.refuse(Command.fullMessage(for: error), code.rawValue)
    }
  }
}
