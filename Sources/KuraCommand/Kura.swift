import Foundation
import KuraSentences
import KuraShell
import KuraTerminal

/// The command `kura`: reads the arguments, connects a session with the system, and says how it went.
@main
enum Kura {
  static func main() {
    Wiring.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    exit(Launch.language(of: arguments).speaks { run(arguments) }.rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    do {
      let request = try CommandRequest(arguments)
      if let answer = request.answer { StandardStreams.answer(answer) }
      if request.command != .session { return request.run(Wiring.surroundings(color: .automatic)) }
      return Wiring(color: request.launch.color).run(request.launch)
    } catch {
      StandardStreams.refuse(error.message, ExitStatus.wrongCommandLine.rawValue)
    }
  }
}
