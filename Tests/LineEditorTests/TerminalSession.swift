import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LineEditor

/// An editor in a thread of its own, and its screen.
final class Session: @unchecked Sendable {
  let terminal: PseudoTerminal
  private var model = ScreenModel(columns: .max, rows: .max, width: columns)
  /// Whether the output is ignored, because it can be anything.
  var isBlind = false
  private(set) var last = ""
  /// The number of events that were taken.
  private var taken = 0
  private let events = Mutex<[LineEvent]>([])
  private let isOver = Mutex(false)
  private static let limit: TimeInterval = 120

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Uses the settings of an `.editrc`, which choose vi or bind keys.
  init(columns: Int = 80, rows: Int = 24, settings: String = "") throws {
    let file = try Self.file(settings)
    setenv("EDITRC", file, 1)
    defer { if !settings.isEmpty { try? FileManager.default.removeItem(atPath: file) } }
    LineInput.useUTF8()
    guard let terminal = PseudoTerminal(columns: columns, rows: rows) else {
      throw Failure(description: "no pseudo-terminal: \(errno)")
    }
    self.terminal = terminal
    Thread.detachNewThread { [self] in
      run()
      isOver.withLock { $0 = true }
    }
    try wait("the first prompt") { isListening }
  }

  private static func file(_ settings: String) throws -> String {
    guard !settings.isEmpty else { return "/dev/null" }
    let path = NSTemporaryDirectory() + "kura-editrc-\(UUID().uuidString)"
    try settings.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Reads until the terminal is closed or Control-D is typed.
  private func run() {
    var hooks = EditorHooks()
    hooks.isComplete = { $0.hasSuffix(";") }
    hooks.continues = { $0.hasPrefix("select") && $1.hasPrefix("from") }
    hooks.displayWidth = columns
    hooks.composed = { $0.precomposedStringWithCanonicalMapping }
    hooks.complete = Self.completions
    hooks.hint = { $0.hasSuffix("wh") ? "ere done" : "" }
    hooks.hintsHistory = { true }
    hooks.hasFailed = { $0.contains("failed") }
    hooks.notice = { text, cursor in text.hasPrefix("titel") && cursor < 5 ? "no titel" : "" }
    hooks.help = { _, _ in "help,\nin two lines" }
    hooks.edit = { $0 + " edited" }
    let file = terminal.terminal
    guard let editor = TerminalEditor(input: file, output: file, hooks: hooks) else { return }
    var event: LineEvent?
    while event != .end {
      event = try? editor.readLine(Prompt("> ", continuation: "- "))
      events.withLock { $0.append(event ?? .end) }
    }
  }

  /// Returns the words that begin with the text after the last space.
  private static func completions(_ text: String, _ cursor: Int) -> Completions? {
    let typed = text.utf8.prefix(cursor).reversed().prefix { $0 != 32 }.reversed()
    let words = ["title", "tags", "done", "誕生日", "the only one", "sort "]
    let found = words.filter { $0.utf8.starts(with: typed) }
    return Completions(
      start: cursor - typed.count, items: found.map { Completion($0, meaning: "of \($0)") })
  }

  /// Ends the editor: signals and libedit's terminal description belong to the process.
  func close() {
    try? wait("the end") {
      if isListening { type("\u{5}\u{15}\u{4}") }
      return isOver.withLock { $0 }
    }
  }

  var modes: [String] { model.modes }
  var screen: [String] { model.lines }

  func type(_ keys: String) { terminal.type(keys) }

  func drain(waiting milliseconds: Int32 = 0) {
    let shown = terminal.received(waiting: milliseconds)
    if isBlind { last = shown.isEmpty ? last : shown } else { model.show(shown) }
  }

  /// Waits for the next event, and until the editor reads again.
  ///
  /// Output that the editor wrote before the event may arrive after it: otherwise the last prompt
  /// would count as the next one.
  func event() throws -> LineEvent {
    try wait("an event") { !events.withLock { $0.isEmpty } }
    let event = events.withLock { $0.removeFirst() }
    taken += 1
    if event != .end {
      try wait("the next prompt") { model.modes.count { $0 == "?2004l" } >= taken && isListening }
    }
    return event
  }

  /// Returns the next event, if there is one within a time.
  func eventIfAny(waiting milliseconds: Int) -> LineEvent? {
    let end = Date() + Double(milliseconds) / 1000
    while Date() < end {
      drain(waiting: 10)
      if let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return event }
    }
    return nil
  }

  /// Whether a frame was drawn since the editor took the terminal.
  private var isListening: Bool {
    let sinceStart = model.modes.reversed().prefix { $0 != "?2004h" }
    return !sinceStart.isEmpty && !sinceStart.contains("?2004l")
      && sinceStart.count < model.modes.count
  }

  /// Waits until the screen has a row, and the cursor a column.
  func sees(row: String, or other: String? = nil, cursorColumn: Int? = nil) throws {
    try wait("\(row.debugDescription), cursor at \(cursorColumn ?? -1)") {
      model.lines.contains { $0 == row || $0 == other }
        && (cursorColumn == nil || model.cursor.column == cursorColumn)
    }
  }

  /// Waits until something appears, and fails with the screen's content if it never does.
  func wait(_ what: String, until isThere: () -> Bool) throws {
    let start = Date()
    while !isThere() {
      drain(waiting: 20)
      guard Date().timeIntervalSince(start) < Self.limit else {
        throw Failure(description: "waited for \(what); screen: \(model.lines), \(model.cursor)")
      }
    }
  }
}
