import CThreads
import Foundation
import KuraBytes
import KuraDiagnostics
package import KuraShell
import LineEditor

/// Connects a session with this process's streams and terminal.
package struct Wiring {
  let color: ColorChoice

  package init(color: ColorChoice) { self.color = color }

  /// Prepares the process, before anything else.
  package static func prepare() {
    kura_keep_memory()
    LineInput.useUTF8()
    StandardStreams.prepare()
    Crash.explain(StandardStreams.crashMessage, withoutMemory: StandardStreams.memoryMessage) {
      Session.rescue()
    }
  }

  /// Opens the store of the arguments and runs their statements.
  package func run(_ launch: Launch) -> ExitStatus {
    var services = Self.services(color: color)
    if launch.isScript || LineInput.kind() == .stream { return launch.run(services, nil) }
    let history = HistoryFile(path: LiveFiles.history)
    let typing = Typing(usesColor: services.style.usesColor)
    let lines = Self.lines(launch.isSafe ? nil : history, typing)
    services.ask = { Self.answer(to: $0, lines) }
    services.isEnding = { Ending.isAsked }
    services.edit = { text throws(Failure) in try ExternalEditor.edit(text) }
    var conversation = Conversation { Self.event(lines, $0, typing) }
    defer { Ending.follow() }
    conversation.isInterrupted = { Interrupt.isPending }
    conversation.begin = { typing.aid = $0 }
    return launch.run(services, conversation)
  }

  /// Returns the services of the process, without a user to ask.
  package static func services(color: ColorChoice) -> SystemServices {
    let style = StandardStreams.style(color, width: LineInput.width(of: 2))
    var services = SystemServices.live(style: style, color: color)
    services.setWidths(LineInput.widths)
    services.useOwnFiles()
    services.display.height = { LineInput.height(of: 1) }
    if let line = StatusLine(2) { services.progress = .line(line.show, line.erase) }
    return services
  }
}

extension Wiring {
  private static func lines(_ history: HistoryFile?, _ typing: Typing) -> any LineReading {
    // Created here, because a signal handler must not create it.
    CancelFlag.current.reset()
    Interrupt.whenPressed { CancelFlag.current.request() }
    var hooks = typing.hooks
    hooks.isComplete = Session.completenessCheck()
    hooks.continues = Session.continues
    hooks.displayWidth = { DisplayWidth().cells(String($0)) }
    hooks.visible = VisibleText.of
    hooks.composed = { $0.precomposedStringWithCanonicalMapping }
    return LineInput.open(history: history, hooks: hooks)
  }

  private static func event(
    _ lines: any LineReading, _ line: LinePrompt, _ typing: Typing
  ) -> Conversation.Event {
    if Ending.isAsked { return .ended }
    typing.aid?.beginLine()
    let prompt = Prompt(line.first, continuation: line.continuation, draft: line.draft)
    do throws(LineInputError) {
      switch try lines.readLine(prompt) {
      case .text(let text): return .text(text)
      case .interrupted: return .interrupted
      case .end: return Ending.isAsked ? .ended : .end
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

/// Connects the editor's hooks with the session's help for typing.
final class Typing {
  var aid: TypingAid?
  private let usesColor: Bool

  init(usesColor: Bool) { self.usesColor = usesColor }

  var hooks: EditorHooks {
    var hooks = EditorHooks()
    if !usesColor { hooks.styles = .plain }
    hooks.highlight = { [unowned self] text, cursor in
      (aid?.styles(text, cursor: cursor) ?? []).map { StyledSpan($0.range, style: $0.style) }
    }
    hooks.hint = { [unowned self] in aid?.hint($0) ?? "" }
    hooks.hintsHistory = { [unowned self] in aid?.hintsHistory ?? false }
    hooks.hasFailed = { [unowned self] in aid?.hasFailed($0) ?? false }
    hooks.page = { [unowned self] in aid?.page($0) ?? false }
    hooks.notice = { [unowned self] in aid?.notice($0, cursor: $1) ?? "" }
    hooks.help = { [unowned self] in aid?.help($0, cursor: $1) ?? "" }
    hooks.corrected = { [unowned self] in aid?.corrected }
    hooks.edit = { [unowned self] in aid?.edited($0) }
    hooks.complete = { [unowned self] in completions($0, $1) }
    return hooks
  }

  private func completions(_ text: String, _ cursor: Int) -> Completions? {
    guard let aid, aid.completes else { return nil }
    let found = aid.choices(text, at: cursor)
    return Completions(
      start: found.start,
      items: found.all.map { Completion($0.text, label: $0.label, meaning: $0.meaning) })
  }
}
