import Foundation
import KuraSentences
import KuraShell
import KuraTerminal

/// The command `kura`: reads the arguments, connects a session with the system, and returns an exit
/// status.
@main
enum Kura {
  static func main() {
    Wiring.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    exit(Launch.language(of: arguments).speaks { run() }.rawValue)
  }

  private static func run() -> ExitStatus {
    let arguments = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    do {
      let request = try CommandRequest(
        cStrings: arguments.dropFirst().compactMap { $0.map { UnsafePointer($0) } })
      if let answer = request.answer { StandardStreams.answer(answer) }
      if request.command != .session { return request.run(Wiring.services(color: .automatic)) }
      return Wiring(color: request.launch.color).run(request.launch)
    } catch {
      StandardStreams.refuse(error.message, ExitStatus.wrongCommandLine.rawValue)
    }
  }
}
