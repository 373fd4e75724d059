import Foundation
import KuraBytes
import KuraDiagnostics
import KuraShell
import LineEditor

/// Connects a session with this process's streams and terminal.
struct Wiring {
  let color: ColorChoice

  /// Opens what the arguments name and runs it.
  func run(_ launch: Launch) -> ExitStatus {
    var surroundings = Self.surroundings(color: color)
    if launch.isScript || LineInput.kind() == .stream { return launch.run(surroundings, nil) }
    let history = HistoryFile(path: LiveFiles.home(".kura_history"))
    let lines = Self.lines(launch.isSafe ? nil : history)
    surroundings.ask = { Self.answer(to: $0, lines) }
    return launch.run(surroundings, Conversation { Self.event(lines, isContinuation: $0) })
  }

  /// What the process has around it; nobody is asked.
  static func surroundings(color: ColorChoice) -> Surroundings {
    let style = StandardStreams.style(color, width: LineInput.width(of: 2))
    var surroundings = Surroundings.live(style: style, color: color)
    surroundings.terminalWidth = { LineInput.width(of: 1) }
    surroundings.reportWidth = { LineInput.width(of: 2) }
    surroundings.display.height = { LineInput.height(of: 1) }
    if let line = StatusLine(2) { surroundings.progress = .line(line.show, line.erase) }
    return surroundings
  }
}

extension Wiring {
  private static func lines(_ history: HistoryFile?) -> any LineReading {
    // Made now: a signal's handler is no place to make it.
    CancelFlag.current.reset()
    Interrupt.whenPressed { CancelFlag.current.request() }
    var hooks = EditorHooks()
    hooks.isComplete = Session.isComplete
    hooks.displayWidth = { DisplayWidth().cells(String($0)) }
    hooks.visible = VisibleText.of
    hooks.composed = { $0.precomposedStringWithCanonicalMapping }
    return LineInput.open(history: history, hooks: hooks)
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
}
