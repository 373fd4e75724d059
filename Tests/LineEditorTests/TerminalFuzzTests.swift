import Foundation
import TestSupport
import Testing

@testable import LineEditor

extension TerminalEditorTests {
  /// Returns keys, parts of their sequences, and arbitrary bytes, except Control-D, which leaves.
  private func piece(_ random: inout SeededNumbers) -> [UInt8] {
    let keys = [
      "a", " ", "t\t", "誕", "か\u{3099}", "👨‍👩‍👧", "\r", "\t", "\u{1B}", "\u{1B}[Z", "\u{1B}[A",
      "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[5~", "\u{1B}[200~x\ny\t\u{1B}[201~",
      "\u{1B}[3;5~",
      "\u{1B}OP", "\u{1B}[97;5u", "\u{1B}[<0;3;4M", "\u{1B}]0;x\u{7}", "\u{12}x", "\u{13}",
      "\u{1F}",
      "\u{14}", "\u{F}", "\u{1B}/", "\u{18}\u{5}", "\u{10}", "\u{E}", "\u{C}", "\u{B}", "\u{19}",
      "\u{15}", "\u{7}",
    ]
    switch random.below(4) {
    case 0: return (0..<random.below(6)).map { _ in UInt8(random.below(256)) }.filter { $0 != 4 }
    case 1:
      let key = Array(random.pick(keys).utf8)
      return Array(key.prefix(random.below(key.count + 1)))
    default: return Array(random.pick(keys).utf8)
    }
  }

  @Test(
    "survives any keys and parts of keys, and then reads a line",
    arguments: [
      ("", 80, 24), ("bind -v\n", 40, 12), ("bind \"jk\" ed-prev-char\n", 7, 4),
      ("bind ^T ed-move-to-beg\nbind ^O ed-move-to-end\n", 3, 2),
    ])
  func anything(settings: String, columns: Int, rows: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let usual = TestLength.count(40_000, long: 1_000_000)
    let wanted = environment["KURA_KEYS"].flatMap { Int($0) } ?? usual
    let seed = environment["KURA_SEED"].flatMap { UInt64($0) } ?? 5
    var random = SeededNumbers(seed: seed)
    let session = try Session(columns: columns, rows: rows, settings: settings)
    defer { session.close() }
    session.isBlind = true
    var typed = 0
    while typed < wanted / 4 {
      for _ in 0..<400 {
        let bytes = piece(&random)
        typed += max(1, bytes.count)
        session.terminal.type(bytes)
        session.drain()
      }
      try leavesTheLine(session, isVi: settings.hasPrefix("bind -v"))
    }
    session.isBlind = false
    session.close()
    #expect(session.terminal.isCooked)
  }

  @Test("continues with a text that a command of libedit abandons, and ends without text")
  func givesUp() throws {
    let session = try Session(settings: "bind ^T ed-end-of-file\n")
    defer { session.close() }
    session.type("誕生")
    try session.sees(row: "> 誕生")
    session.type("\u{14}日")
    try session.sees(row: "> 誕生日")
    session.type(";\r")
    #expect(try session.event() == .text("誕生日;"))
    session.type("\u{14}")
    #expect(try session.event() == .end)
  }

  @Test(
    "reads no setting for libedit, where an open quote would end the program",
    arguments: [("", "\u{1B}x"), ("bind \"^Ted-command\nbind ^T ed-command\n", "\u{14}")])
  func settings(settings: String, keys: String) throws {
    let session = try Session(settings: settings)
    defer { session.close() }
    session.type("誕\(keys)")
    session.type("'日;\r")
    #expect(try session.event() == .text("誕'日;"))
  }

  @Test(
    "writes at the text, although libedit's cursor has left it",
    arguments: [
      ("bind -v\n", ["\u{1B}", "$", "i誕;\r"], "誕;"),
      ("bind -v\n", ["\u{1B}", "$", "a誕", "\u{1B}", "0i日", "\u{1B}", "A;\r"], "日誕;"),
    ])
  func cursor(settings: String, keys: [String], text: String) throws {
    let session = try Session(settings: settings)
    defer { session.close() }
    for key in keys {
      session.type(key)
      session.drain(waiting: 150)
    }
    let read = try session.event()
    // Typing at the front does not end the line if text follows.
    #expect(read == .text(text))
  }

  @Test("reads no setting in vi either") func settingsOfVi() throws {
    let session = try Session(settings: "bind -v\n")
    defer { session.close() }
    session.type("誕")
    try session.sees(row: "> 誕")
    session.type("\u{1B}")
    session.drain(waiting: 150)
    session.type(":'\u{1B}")
    session.drain(waiting: 150)
    session.type("A日;\r")
    #expect(try session.event() == .text("誕日;"))
  }

  @Test("types the letters of Latin-1, which libedit treats as keys with Alt") func latin() throws {
    let session = try Session()
    defer { session.close() }
    let letters = String((0xA1...0xFF).map { Character(Unicode.Scalar(UInt8($0))) })
    session.type(letters + ";\r")
    #expect(try session.event() == .text(letters + ";"))
    for letter in letters { session.type(String(letter)); session.drain(waiting: 2) }
    session.type(";\r")
    #expect(try session.event() == .text(letters + ";"))
  }

  @Test(
    "is not stopped by Control-S between two lines, and loses no key there",
    arguments: [0, 300, 2000] as [UInt32])
  func held(pause: UInt32) throws {
    let session = try Session()
    defer { session.close() }
    session.isBlind = true
    defer { session.isBlind = false }
    var random = SeededNumbers(seed: UInt64(pause))
    for _ in 0..<300 {
      session.type("x;\r\u{13}")
      // Keys come while a line is read, and between two lines.
      if pause > 0 { usleep(UInt32(random.below(Int(pause)))) }
      session.drain()
    }
    session.type("\u{15}last;\r")
    try session.wait("the last line") {
      while let event = session.eventIfAny(waiting: 20) {
        if event == .text("last;") { return true }
      }
      return false
    }
  }

  /// Ends any unfinished input, and finishes the line.
  private func leavesTheLine(_ session: Session, isVi: Bool) throws {
    let end = Date() + 60
    while Date() < end {
      session.type("\u{7}\u{1B}[201~\u{7}\u{7}")
      session.drain(waiting: 20)
      // A command that waits for a second key takes one of these.
      session.type(isVi ? "\u{1B}" : "")
      session.drain(waiting: isVi ? 120 : 0)
      session.type((isVi ? "ggddi" : "\u{15}") + "well;\r")
      while let event = session.eventIfAny(waiting: 300) {
        if event == .text("well;") { return }
      }
    }
    if getenv("KURA_WAIT") != nil { sleep(1000) }
    Issue.record("the editor takes no line any more: \(session.last.debugDescription)")
  }
}
