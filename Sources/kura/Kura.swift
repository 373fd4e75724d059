import ArgumentParser
import Foundation
import KuraShell
import LineEditor

/// The command `kura`: reads the arguments, wires a session to the system, and says how it went.
@main
enum Kura {
  static func main() {
    // A reader that is gone is an error of the write, and not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    LineInput.useUTF8()
    openMissingStreams()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "check" {
      exit(CheckCommand.self, Array(arguments.dropFirst())) { $0.run() }
    }
    exit(ShellCommand.self, Launch.joiningPairs(arguments)) { try $0.run() }
  }

  /// Puts something that fails in the place of a stream that is closed.
  ///
  /// Else the store, which is opened next, would get its number, and results would be written
  /// into it.
  private static func openMissingStreams() {
    for (file, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)] as [(Int32, Int32)]
    where fcntl(file, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  private static func exit<Command: ParsableArguments>(
    _ type: Command.Type, _ arguments: [String], _ run: (Command) throws -> ExitStatus
  ) -> Never {
    do {
      Foundation.exit(try run(try Command.parse(arguments)).rawValue)
    } catch {
      Command.exit(withError: error)
    }
  }
}
