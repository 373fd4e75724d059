import Foundation
import Synchronization
import Testing

@testable import LineEditor

extension TerminalEditorTests {
  @Test func isNotNeededByAPlainTerminal() throws {
    let terminal = try #require(PseudoTerminal(columns: 80, rows: 24))
    let reader = PlainTerminal(input: terminal.terminal, output: terminal.terminal)
    terminal.type("誕生日\n\n\u{4}y\n")
    #expect(try reader.readLine(Prompt("> ")) == .text("誕生日"))
    #expect(try reader.readLine(Prompt("> ")) == .text(""))
    #expect(try reader.readLine(Prompt("> ")) == .end)
    #expect(try reader.readAnswer(to: "Sure? ") == .text("y"))
    #expect(terminal.received(waiting: 20).contains("\r\nSure? "))
  }

  @Test func isNotNeededForControlC() throws {
    let terminal = try #require(PseudoTerminal(columns: 80, rows: 24))
    let reader = PlainTerminal(input: terminal.terminal, output: terminal.terminal)
    let isOver = Flag()
    Thread.detachNewThread {
      // The reader discards earlier signals, so one signal can be too early.
      while !isOver.isSet {
        kill(getpid(), SIGINT)
        usleep(5_000)
      }
      isOver.confirm()
    }
    let event = try reader.readLine(Prompt("> "))
    isOver.set()
    #expect(event == .interrupted)
    #expect(isOver.wasConfirmed())
  }

  @Test("and pasted lines are joined there, if the language says so")
  func pastedLines() throws {
    let terminal = try #require(PseudoTerminal(columns: 80, rows: 24))
    var hooks = EditorHooks()
    hooks.continues = { $0.hasPrefix("select") && $1.hasPrefix("from") }
    hooks.composed = { $0.precomposedStringWithCanonicalMapping }
    let reader = PlainTerminal(input: terminal.terminal, output: terminal.terminal, hooks: hooks)
    terminal.type("select か\u{3099}\nfrom A\nselect\n\nx\nselect\n\u{4}")
    for text in ["select が\nfrom A", "select", "", "x", "select"] {
      guard case .text(let read) = try reader.readLine(Prompt("> ")) else {
        Issue.record("no text came")
        return
      }
      #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
    }
    #expect(try reader.readLine(Prompt("> ")) == .end)
  }
}

/// Tells a thread to stop, and waits until it has.
private final class Flag: Sendable {
  private let state = Mutex(false)
  private let confirmation = DispatchSemaphore(value: 0)

  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
  func confirm() { confirmation.signal() }
  func wasConfirmed() -> Bool { confirmation.wait(timeout: .now() + 20) == .success }
}
