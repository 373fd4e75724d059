import Foundation
import TestSupport
import Testing

/// The program at a terminal, and the actions of its user.
final class TerminalProgram {
  let seat: TerminalSetup
  let program: ProgramOnTerminal
  let home: TemporaryFolder
  private let store: URL
  /// Everything that was shown and taken.
  private(set) var transcript = ""

  /// Starts a shell script in which `"$1" "$2"` is the program with the store; in the home folder
  /// of `other` if given.
  init(_ seat: TerminalSetup, script: String = #""$1" "$2""#, beside other: TerminalProgram? = nil)
    throws
  {
    self.seat = seat
    home = try other?.home ?? TemporaryFolder()
    let store = try other?.store ?? TerminalSetupStore.write(to: home.url)
    self.store = store
    // A user with a history is not greeted.
    if other == nil { try Data().write(to: home.url.appending(path: Self.history)) }
    program = try ProgramOnTerminal(
      "/bin/sh", ["-c", script, "sh", TranscriptRunner.findBinary().path, store.path],
      home: home.path, patience: 20, environment: seat.environment)
    program.resize(columns: Int32(seat.columns), rows: 24)
  }

  private static let history = ".kura_history"

  /// The history file.
  var remembered: Data {
    get throws { try Data(contentsOf: home.url.appending(path: Self.history)) }
  }

  func type(_ keys: String) { program.type(keys) }

  /// Takes what is shown, up to an expected text.
  @discardableResult
  func sees(_ text: String) throws -> String {
    let shown = try program.shown(upTo: text)
    transcript += shown
    return shown
  }

  func seesPrompt(unsaved: Bool = false) throws { try sees(Self.prompt(unsaved)) }

  private static func prompt(_ unsaved: Bool) -> String { unsaved ? "days*> " : "days> " }

  /// Returns the answer to a statement of one line, in rows as on the screen.
  func answer(to statement: String, unsaved: Bool = false) throws -> [String] {
    type(statement + "\r")
    return try answer(unsaved: unsaved)
  }

  /// Returns the answer to the typed text: after the end of the editing, or after the line that the
  /// system has echoed.
  func answer(unsaved: Bool = false) throws -> [String] {
    try sees(seat.hasEditor ? "\u{1B}[?2004l" : "\r\n")
    let text = try sees(Self.prompt(unsaved))
    var screen = ScreenModel(columns: seat.columns, rows: 400)
    screen.show(String(text.dropLast(Self.prompt(unsaved).count)))
    #expect(!screen.rows.contains { $0.continues }, "wider than the window: \(screen.lines)")
    return screen.lines
  }

  /// Types keys, and waits until a frame of the editor contains a text.
  func types(_ keys: String, andSees text: String) throws {
    type(keys)
    var shown = ""
    while !shown.contains(text) { shown = try plain(sees("\u{1B}[?2026l")) }
  }

  /// Returns a text without escape sequences.
  private func plain(_ text: String) -> String {
    text.replacing(#/\u{1B}\[[0-9;?]*[A-Za-z]/#, with: "")
  }

  /// Cancels the typed text.
  func interrupts() throws {
    type("\u{3}")
    try sees("^C")
    try seesPrompt()
  }
}
