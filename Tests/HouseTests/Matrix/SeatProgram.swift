import Foundation
import TestSupport
import Testing

/// The program before a seat, and what a person there does with it.
final class SeatProgram {
  let seat: Seat
  let program: ProgramOnTerminal
  let home: TemporaryFolder
  private let store: URL
  /// All that was taken of what was shown.
  private(set) var transcript = ""

  /// Starts a script of the system's shell, in which `"$1" "$2"` is the program with the store; in the
  /// home of another that is there.
  init(_ seat: Seat, script: String = #""$1" "$2""#, beside other: SeatProgram? = nil) throws {
    self.seat = seat
    home = try other?.home ?? TemporaryFolder()
    let store = try other?.store ?? SeatStore.write(to: home.url)
    self.store = store
    // Who has a history has been greeted.
    if other == nil { try Data().write(to: home.url.appending(path: Self.history)) }
    program = try ProgramOnTerminal(
      "/bin/sh", ["-c", script, "sh", TranscriptRunner.findBinary().path, store.path],
      home: home.path, patience: 20, environment: seat.environment)
    program.resize(columns: Int32(seat.columns), rows: 24)
  }

  private static let history = ".kura_history"

  /// What was remembered, as it stands in the file.
  var remembered: Data {
    get throws { try Data(contentsOf: home.url.appending(path: Self.history)) }
  }

  func type(_ keys: String) { program.type(keys) }

  /// Takes what is shown up to a text that is awaited.
  @discardableResult
  func sees(_ text: String) throws -> String {
    let shown = try program.shown(upTo: text)
    transcript += shown
    return shown
  }

  func seesPrompt(unsaved: Bool = false) throws { try sees(Self.prompt(unsaved)) }

  private static func prompt(_ unsaved: Bool) -> String { unsaved ? "days*> " : "days> " }

  /// What the program says to a statement of one line, in rows as they are on the screen.
  func answer(to statement: String, unsaved: Bool = false) throws -> [String] {
    type(statement + "\r")
    return try answer(unsaved: unsaved)
  }

  /// What it says to what was typed: behind the end of the editing, or behind the line that the
  /// system has shown.
  func answer(unsaved: Bool = false) throws -> [String] {
    try sees(seat.hasEditor ? "\u{1B}[?2004l" : "\r\n")
    let text = try sees(Self.prompt(unsaved))
    var screen = ScreenModel(columns: seat.columns, rows: 400)
    screen.show(String(text.dropLast(Self.prompt(unsaved).count)))
    #expect(!screen.rows.contains { $0.goesOn }, "wider than the window: \(screen.lines)")
    return screen.lines
  }

  /// Types keys, and waits until a picture of the editor holds a text.
  func types(_ keys: String, andSees text: String) throws {
    type(keys)
    var shown = ""
    while !shown.contains(text) { shown = try plain(sees("\u{1B}[?2026l")) }
  }

  /// Without the sequences.
  private func plain(_ text: String) -> String {
    text.replacing(#/\u{1B}\[[0-9;?]*[A-Za-z]/#, with: "")
  }

  /// Forgets what is typed.
  func interrupts() throws {
    type("\u{3}")
    try sees("^C")
    try seesPrompt()
  }
}
