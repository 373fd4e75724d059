import ArgumentParser
import Foundation
import KuraBytes
import KuraDiagnostics
import KuraShell
import LineEditor

/// `--color auto|always|never`
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case automatic = "auto"
  case always, never
}

/// Connects a session with this process's streams and terminal.
struct Wiring {
  let color: ColorChoice
  let skipsInitFile: Bool

  /// Opens what the arguments name and runs it.
  func run(_ launch: Launch) -> ExitStatus {
    var surroundings = Self.surroundings(color: color)
    let isScript = !launch.statements.isEmpty || !launch.scripts.isEmpty
    let isConversation = !isScript && LineInput.kind() != .stream
    let lines = isConversation ? Self.lines() : nil
    surroundings.ask = lines.map { lines in { Self.answer(to: $0, lines) } }
    do throws(Failure) {
      var session = try Session(launch, surroundings)
      if isScript { return session.run(launch) }
      guard let lines else { return session.runPipe() }
      return converse(&session, lines)
    } catch {
      surroundings.report(error.rendered(in: nil, style: surroundings.style) + "\n")
      return error.status
    }
  }

  private func converse(_ session: inout Session, _ lines: any LineReading) -> ExitStatus {
    if !skipsInitFile { session.runInitFile(Self.home(".kurarc")) }
    return session.converse(Conversation { Self.event(lines, isContinuation: $0) })
  }

  /// What the process has around it; nobody is asked.
  static func surroundings(color: ColorChoice) -> Surroundings {
    var style = usesColor(color) ? DiagnosticStyle.ansi : .plain
    if let width = width(of: 2) { style.columns = max(20, width - 4) }
    var surroundings = Surroundings.live(style: style)
    surroundings.terminalWidth = { width(of: 1) }
    return surroundings
  }

  private static func usesColor(_ color: ColorChoice) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return switch color {
    case .always: true
    case .never: false
    case .automatic:
      isatty(2) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// The cells of a terminal's line; nil for what is no terminal.
  private static func width(of file: Int32) -> Int? {
    var size = winsize()
    guard isatty(file) == 1, ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}

extension Wiring {
  private static func lines() -> any LineReading {
    // Made now: a signal's handler is no place to make it.
    CancelFlag.current.reset()
    Interrupt.whenPressed { CancelFlag.current.request() }
    var hooks = EditorHooks()
    let width = DisplayWidth()
    hooks.isComplete = Session.isComplete
    hooks.displayWidth = { width.cells(String($0)) }
    hooks.composed = { $0.precomposedStringWithCanonicalMapping }
    return LineInput.open(history: HistoryFile(path: home(".kura_history")), hooks: hooks)
  }

  private static func event(
    _ lines: any LineReading, isContinuation: Bool
  ) -> Conversation.Event {
    let prompt = Prompt(isContinuation ? " ...> " : "kura> ", continuation: " ...> ")
    do throws(LineInputError) {
      switch try lines.readLine(prompt) {
      case .text(let text): return .text(text)
      case .interrupted: return .interrupted
      case .end: return .end
      }
    } catch {
      if case .unreadable = error { return .end }
      return .failure(error.description)
    }
  }

  private static func answer(to question: String, _ lines: any LineReading) -> String? {
    switch try? lines.readAnswer(to: question) {
    case .text(let text): text
    case .interrupted: ""
    case .end, nil: nil
    }
  }

  private static func home(_ name: String) -> String {
    let home = ProcessInfo.processInfo.environment["HOME"].map { URL(filePath: $0) }
    return (home ?? FileManager.default.homeDirectoryForCurrentUser).appending(path: name).path
  }
}
